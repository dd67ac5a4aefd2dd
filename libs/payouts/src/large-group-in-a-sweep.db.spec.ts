/** However many payouts of one payee go on at once in a sweep, what others have is looked at beside them. */
import { copiesOf, type MoneyWorld, startMoneyWorld } from '../testing/src';
import { SelfReleaseJobs } from './jobs/self-release.job';

/** As many as one transaction may have to do at once, several times over. */
const MANY = 10_000;
const MOST_AT_ONCE = 2_500;

describe('a sweep that finds very many payouts of one payee at their floor', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  test('lets a payout of another client go on before all of them are through', async () => {
    const large = await world.client({ floors: { claim_rail: 10_000_000 } });
    const payee = await world.payee(large);
    const first = await world.pay(large, payee, 200);
    await copiesOf(world, first, MANY, { created_at: 'created_at' });
    await world.db.execute(
      'UPDATE balances SET held_below_minimum_cents = held_below_minimum_cents * ($2::int + 1) WHERE payee_id = $1',
      [payee.id, MANY],
    );
    const small = await world.client({ autoRelease: ['missing_name'] });
    const nameless = await world.payee(small);
    await world.db.execute('UPDATE payees SET name = NULL WHERE id = $1', [nameless.id]);
    const { id } = await world.pay(small, nameless);
    expect(await world.payout(id)).toMatchObject({ status: 'held', statusReason: 'missing_name' });
    await world.db.execute(`UPDATE payees SET name = 'Grace Hopper' WHERE id = $1`, [nameless.id]);
    await world.db.execute(`UPDATE clients SET floors = '{}' WHERE id = $1`, [large.id]);

    const gone = async (): Promise<number> =>
      (await world.db.rows(`SELECT FROM payouts WHERE payee_id = $1 AND status <> 'held'`, [payee.id])).length;
    const sweep = world.get(SelfReleaseJobs).onSchedule();
    await world.until(id, 'authorized');
    const before = await gone();
    await sweep;
    expect(before).toBeLessThanOrEqual(2 * MOST_AT_ONCE);
  }, 300_000);
});
