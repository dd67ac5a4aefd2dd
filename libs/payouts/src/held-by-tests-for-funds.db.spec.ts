/** Very many payouts that a test asked to be held, for whatever passes by itself: nothing that comes lets them go on, and they cost nobody else. */
import { randomUUID } from 'node:crypto';
import type { Client } from '#libs/clients';
import { type KnownReason, REASONS, statusReason } from '#libs/domain';
import { type Payout, waitsForTest } from '#libs/payout-rules';
import { copiesOf, type MoneyWorld, othersLike, startMoneyWorld } from '../testing/src';
import { NOT_FOR_TEST } from './db/held-for';
import { SelfReleaseJobs } from './jobs/self-release.job';
import { ChangePayout } from './use-cases/change-payout';
import { CreatePayouts } from './use-cases/create-payouts';

describe('very many payouts that a test asked to be held', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld({ testRail: true });
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  const asks = async (client: Client, payeeId: string, reason: string, amountCents: number): Promise<Payout> => {
    const asked = { client, payeeId, amountCents, currency: 'USD', idempotencyKey: randomUUID(), ref: null, reason };
    const { payout } = await world
      .get(CreatePayouts)
      .run({ ...asked, metadata: {}, source: 'payout', actor: 'client' });
    return payout;
  };
  /** The payees who are looked at from now on, each in a transaction of its own: as often as they are. */
  const looks = (): (() => string[]) => {
    const change = jest.spyOn(world.get(ChangePayout), 'withPayees');
    return () => change.mock.calls.flatMap(([ids]) => ids);
  };

  test('for funds are not looked at one by one in the sweep of all clients', async () => {
    const busy = await world.client({ testMode: true });
    const tested = await world.payee(busy);
    const held = await asks(busy, tested.id, 'mock:hold_insufficient_funds', 900);
    expect(held).toMatchObject({ status: 'held', statusReason: expect.stringContaining('insufficient_funds') });
    await copiesOf(world, held, 800, { created_at: 'created_at' });

    const lookedAt = looks();
    await world.get(SelfReleaseJobs).release();
    expect(await world.status(held.id)).toBe('held');
    expect(lookedAt()).toEqual([]);
  });

  test.each([
    ['for a day that is over', 'cap_exceeded_daily', []],
    ['for what their client lets go on', 'not_payable', ['not_payable' as const]],
  ])('%s are not looked at in the sweep of all clients', async (_, reason, autoRelease) => {
    const busy = await world.client({ testMode: true, autoRelease });
    const tested = await world.payee(busy);
    const held = await asks(busy, tested.id, `mock:hold_${reason}`, 900);
    expect(held).toMatchObject({ status: 'held', statusReason: expect.stringContaining(reason) });
    await othersLike(world, tested, 800);
    await world.db.execute(`UPDATE payouts SET updated_at = updated_at - interval '1 day' WHERE client_id = $1`, [
      busy.id,
    ]);

    const lookedAt = looks();
    await world.get(SelfReleaseJobs).release();
    expect(await world.status(held.id)).toBe('held');
    expect(lookedAt()).toEqual([]);
  });

  test('below a floor are not looked at in the sweep of all clients, whatever they amount to', async () => {
    const busy = await world.client({ testMode: true });
    const tested = await world.payee(busy);
    const held = await asks(busy, tested.id, 'mock:hold_below_min_payout', 900);
    expect(held).toMatchObject({ status: 'held', statusReason: expect.stringContaining('below_min_payout') });
    await othersLike(world, tested, 800);

    const lookedAt = looks();
    await world.get(SelfReleaseJobs).sweep();
    expect(await world.status(held.id)).toBe('held');
    expect(lookedAt()).toEqual([]);
  });

  test('are those that the gates leave alone: for each reason, and no other of the same client', async () => {
    const [busy, live] = [await world.client({ testMode: true }), await world.client()];
    const tested = await world.payee(busy);
    const held = await asks(busy, tested.id, 'mock:hold_no_rail', 900);
    const plain = await world.pay(live, await world.payee(live), 900);
    const known = (Object.keys(REASONS) as KnownReason[]).filter((reason) => REASONS[reason].state === 'held');
    const [, detail = null] = held.statusReason?.split(': ') ?? [];
    const literal = (text: string | null): string => (text === null ? 'NULL' : `'${text}'`);
    for (const payout of [held, plain])
      for (const reason of known)
        for (const said of [statusReason(reason, detail), statusReason(reason), statusReason(reason, 'for a cause')])
          for (const asked of [`mock:hold_${reason}`, `mock:hold_${known[0]}`, 'mock:insufficient_funds', null])
            await copiesOf(world, payout, 1, {
              ...{ status: `'held'`, status_reason: literal(said), reason: literal(asked) },
              authorized_on: 'NULL',
            });
    const rows = await world.db.rows<Payout & { passes: boolean }>(
      `SELECT payouts.*, ${NOT_FOR_TEST} AS passes FROM payouts WHERE status = 'held' AND client_id = ANY($1)`,
      [[busy.id, live.id]],
    );
    expect(rows.filter(({ passes }) => !passes).length).toBeGreaterThanOrEqual(known.length);
    expect(rows.filter((payout) => payout.passes === waitsForTest(payout))).toEqual([]);
  });
});
