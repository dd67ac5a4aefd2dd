/** Very many payouts that a test asked to be held, for funds or below a floor: nothing that comes lets them go on, and they cost nobody else. */
import { randomUUID } from 'node:crypto';
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { copiesOf, type MoneyWorld, othersLike, startMoneyWorld } from '../testing/src';
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
    const { payout } = await world.get(CreatePayouts).run({ ...asked, metadata: {}, source: 'payout', actor: 'client' });
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
    // Of 200 looks at each client, a time
    expect(lookedAt().length).toBeLessThanOrEqual(200);
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
});
