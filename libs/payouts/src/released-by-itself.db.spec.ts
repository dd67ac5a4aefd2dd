/** What its rail refuses for its account goes on by itself, for a client that wants that: less and less often, and not for ever in circles. */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { RailCaller } from '#libs/rail-registry';
import { type MoneyWorld, refused, settled, startMoneyWorld } from '../testing/src';
import { HeldReads } from './db/held.reads';
import { ReleaseCleared } from './use-cases/release-cleared';
import { ReleaseFunded } from './use-cases/release-funded';

describe('a payout that was sent, and held because its rail refused it', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    client = await world.client({ autoRelease: ['not_payable'] });
  });

  afterEach(() => jest.restoreAllMocks());

  const heldByItsRail = async (why: 'account' | 'funding' = 'account'): Promise<Payout> => {
    const payee = await world.payee(client, { country: 'FR' });
    await world.adopt(client, payee);
    const { id } = await world.pay(client, payee);
    world.rail.says({ first: refused(why) });
    await world.drive(id);
    const payout = await world.payout(id);
    expect(payout.status).toBe('held');
    world.rail.knows.set(payout.railKey, refused(why));
    return payout;
  };
  /** The schedule comes so often, each time half a minute later. */
  const schedule = async ({ id }: Payout, times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) {
      await world.db.execute(
        `UPDATE payouts SET updated_at = updated_at - interval '30 seconds', submitted_at = submitted_at - interval '30 seconds'
         WHERE id = $1`,
        [id],
      );
      await world.get(ReleaseCleared).run();
      await world.get(ReleaseFunded).ofRails();
      if (await world.db.row(`SELECT FROM jobs WHERE name = 'payout.retry' AND entity_id = $1`, [id]))
        await world.work('payout.retry', id);
      if ((await world.status(id)) === 'authorized') await world.drive(id);
    }
  };

  test('is sent again after as long as it was tried already, though its account seems to be payable', async () => {
    const payout = await heldByItsRail();
    await schedule(payout, 24);
    expect(world.rail.callsOf(payout.id).length).toBeLessThanOrEqual(6);
  });

  test('is sent again so too for lack of funds, though its rail seems to have some', async () => {
    const funds = [{ currency: 'USD', availableCents: 1_000_000 }];
    jest.spyOn(world.get(RailCaller), 'funding').mockResolvedValue(funds);
    const payout = await heldByItsRail('funding');
    await schedule(payout, 24);
    expect(world.rail.callsOf(payout.id).length).toBeLessThanOrEqual(7);
    world.rail.says({ first: settled() });
    await schedule(payout, 24);
    expect(await world.status(payout.id)).toBe('paid');
  });

  test('has its turn, however many of the same payee stay held', async () => {
    const many = await world.client({ autoRelease: ['amount_not_supported', 'not_payable'] });
    const payee = await world.payee(many, { country: 'FR' });
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) ids.push((await world.pay(many, payee)).id);
    const hold = (reason: string, payoutIds: string[]): Promise<number> =>
      world.db.execute(`UPDATE payouts SET status = 'held', status_reason = $1 WHERE id = ANY($2)`, [
        reason,
        payoutIds,
      ]);
    const looked = async (): Promise<string[]> => {
      const found = await world.get(HeldReads).maybeCleared(new Map(), 500, 2);
      return found.find(({ payeeId }) => payeeId === payee.id)?.ids ?? [];
    };
    await hold('amount_not_supported', ids);
    await hold('not_payable', ids.slice(-1));
    await world.db.execute('UPDATE payees SET payable = true WHERE id = $1', [payee.id]);
    expect(await looked()).toEqual(expect.arrayContaining(ids.slice(-1)));
    expect(await looked()).toHaveLength(2);
    const seen = new Set<string>();
    for (let look = 0; look < 200 && seen.size < ids.length; look += 1) for (const id of await looked()) seen.add(id);
    expect(seen.size).toBe(ids.length);
  });

  test('is paid by the next try once its rail takes it', async () => {
    const payout = await heldByItsRail();
    world.rail.says({ first: settled() });
    await schedule(payout, 4);
    expect(await world.status(payout.id)).toBe('paid');
    expect(world.rail.callsOf(payout.id)).toHaveLength(2);
  });
});
