/** A rail that is too busy to say what became of what was paid just now is asked about what was paid long ago all the same. */
import { systemClock } from '#libs/domain';
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import { startReconciledWorld } from '../testing/src';
import { WatchReturns } from './use-cases/watch-returns';

const RAIL = 'at_once';
const AT_ONCE = 8;

describe('money that came back days after it was paid', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startReconciledWorld();
    await world.get(WatchReturns).ofRail(RAIL);
  });
  afterAll(() => world.stop());

  const paid = async (client: Client, seconds: number): Promise<Payout> => {
    const payee = await world.payee(client, { country: 'ES' });
    world.rail.answers = () => ({ ...settled(), settledAt: systemClock.now() }) as ReturnType<typeof settled>;
    const { id } = await world.pay(client, payee);
    await world.db.execute(
      `UPDATE payouts SET updated_at = updated_at - $2::float8 * interval '1 second' WHERE id = $1`,
      [id, seconds],
    );
    const payout = await world.payout(id);
    expect(payout.status).toBe('paid');
    return payout;
  };

  test('is found, though with each minute more of another client is paid of which the rail cannot tell yet', async () => {
    const [busy, waiting] = [await world.client(), await world.client()];
    const returned = await paid(waiting, 6 * 3_600 + 60);
    world.rail.knows.set(returned.railKey, { kind: 'bounced', feeCents: 0 });
    // The look of ten minutes was made of it; the one of six hours is due.
    await world.db.execute(
      `UPDATE rail_watches SET last_id = NULL, watched_until = now() - after_seconds * interval '1 second' - interval '2 minutes' WHERE rail = $1`,
      [RAIL],
    );
    for (let minute = 0; minute < 10; minute += 1) {
      for (let count = 0; count < AT_ONCE; count += 1) {
        const { railKey } = await paid(busy, 650);
        world.rail.knows.set(railKey, { kind: 'unknown', detail: 'not now' });
      }
      await world.get(WatchReturns).ofRail(RAIL);
    }
    expect(await world.status(returned.id)).toBe('returned');
  }, 60_000);
});
