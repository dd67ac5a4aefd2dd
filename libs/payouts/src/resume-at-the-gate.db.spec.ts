/** Whoever takes the database over, a newer version for one, does not wait until all payouts of a client that is active again have their jobs. */
import { VersionGate } from '#libs/db';
import { copiesOf, type MoneyWorld, startMoneyWorld } from '../testing/src';
import { PayoutJobs } from './use-cases/payout-jobs';

describe('the payouts of a client that was suspended, and is active again', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterEach(() => {
    jest.restoreAllMocks();
    world.get(VersionGate).set(false);
  });
  afterAll(() => world.stop());

  test('go on up to the page with which a newer version takes the database over, and later the others', async () => {
    const client = await world.client();
    const payout = await world.pay(client, await world.payee(client, { country: 'DE' }));
    expect(payout.status).toBe('authorized');
    await copiesOf(world, payout, 3_000, {});
    await world.db.execute(
      `INSERT INTO jobs (name, entity_id, lane) VALUES ('payouts.resume', $1::uuid, $1::uuid::text) ON CONFLICT DO NOTHING`,
      [client.id],
    );
    const [gate, jobs] = [world.get(VersionGate), world.get(PayoutJobs)];
    const schedule = jobs.schedule.bind(jobs);
    const pages = jest.spyOn(jobs, 'schedule').mockImplementation((...asked) => {
      gate.set(true);
      return schedule(...asked);
    });
    await world.work('payouts.resume', client.id);
    expect(pages.mock.calls.length).toBeLessThanOrEqual(2);
  }, 60_000);
});
