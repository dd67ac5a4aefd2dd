/** A group that reached its floor goes on in several runs of a sweep: whose client is suspended in between has the rest of it go on afterwards. */
import { copiesOf, type MoneyWorld, startMoneyWorld } from '../testing/src';
import { ReleaseHeld } from './use-cases/release-held';

/** More than one transaction takes of a group. */
const MANY = 2_999;
const MOST_OF_EACH = 100;

describe('what is left of a large group that reached its floor, while its client is suspended', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  test('goes on once that is over', async () => {
    const client = await world.client({ floors: { claim_rail: MANY + 1 } });
    const payee = await world.payee(client, { country: 'DE' });
    const first = await world.pay(client, payee, 1);
    expect(first).toMatchObject({ status: 'held', statusReason: expect.stringContaining('below_min_payout') });
    await copiesOf(world, first, MANY, { created_at: 'created_at' });
    await world.db.execute('UPDATE balances SET held_below_minimum_cents = $2::int WHERE payee_id = $1', [
      payee.id,
      MANY + 1,
    ]);
    const run = (): Promise<number> => world.get(ReleaseHeld).accrued({ mostOfEach: MOST_OF_EACH });
    const begun = await run();
    expect(begun).toBeGreaterThan(0);
    expect(begun).toBeLessThan(MANY);
    const becomes = (status: string): Promise<unknown> =>
      world.db.execute('UPDATE clients SET status = $2 WHERE id = $1', [client.id, status]);
    await becomes('suspended');
    // A sweep or two: a minute.
    expect([await run(), await run()]).toEqual([0, 0]);
    await becomes('active');
    for (let runs = 0; runs < 20 && (await run()) > 0; runs += 1);
    const held = await world.db.row(
      `SELECT count(*)::int AS payouts FROM payouts WHERE payee_id = $1 AND status = 'held'`,
      [payee.id],
    );
    expect(held).toEqual({ payouts: 0 });
  }, 60_000);
});
