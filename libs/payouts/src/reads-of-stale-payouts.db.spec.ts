/**
 * A client that reads payouts which wait for their payees has their rail asked, as often as it may ask us: thirty of them, each every
 * three seconds. They are questions of a caller, as those of a cancel are (ADR 105), and are asked as money asks.
 */
import { PayoutJobs } from './use-cases/payout-jobs';
import { RailLanes } from '#libs/rail-registry';
import { type MoneyWorld, startMoneyWorld, waits } from '../testing/src';

describe('a client that reads what waits for its payee', () => {
  let world: MoneyWorld;
  beforeAll(async () => void (world = await startMoneyWorld()));
  afterAll(() => world.stop());

  test('closes the lane of nobody, though the provider has enough of questions', async () => {
    const client = await world.client();
    const payee = await world.payee(client, { country: 'IT', email: 'ada@example.com' });
    world.rail.answers = () => waits();
    const { id, railKey } = await world.pay(client, payee);
    await world.drive(id);
    expect(await world.status(id)).toBe('submitted');
    await world.db.execute(`UPDATE payouts SET updated_at = now() - interval '2 minutes' WHERE id = $1`, [id]);
    // As `GET /payouts/{id}` does with what it read.
    await world.get(PayoutJobs).lookIfStale(await world.payout(id));
    world.rail.knows.set(railKey, { kind: 'not_now', afterSeconds: 30, detail: 'HTTP 429' });
    await world.work('payout.look_for_reader', id);
    expect(await world.get(RailLanes).closed()).toEqual([]);
  });
});
