/** A sweep takes what there was when it began: who goes on pushing meanwhile keeps it from nobody else. */
import { copiesOf, type MoneyWorld, startMoneyWorld } from '../testing/src';
import { ChangePayout } from './use-cases/change-payout';
import { ReleaseHeld } from './use-cases/release-held';

/** More than twice what whoever creates payouts releases at once: the sweep does it. */
const MANY = 6_000;
const PORTION = 250;
const LONG = 100;

describe('what grows while a sweep is at it', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  test('keeps the sweep no longer than what it was at first, also a group that reached its floor and grows as fast as it is taken', async () => {
    const client = await world.client({ floors: { claim_rail: MANY } });
    const payee = await world.payee(client, { country: 'DE' });
    const first = await world.pay(client, payee, 1);
    expect(first).toMatchObject({ status: 'held', statusReason: expect.stringContaining('below_min_payout') });
    await copiesOf(world, first, MANY, { created_at: `created_at + nth * interval '1 millisecond'` });
    await world.db.execute(`UPDATE balances SET held_below_minimum_cents = $2::int WHERE payee_id = $1`, [
      payee.id,
      MANY + 1 + LONG * PORTION,
    ]);
    /** As batches of their client do, which are held as long as there is that much before them. */
    const more = async (): Promise<void> => {
      const [newest] = await world.db.rows<{ id: string }>(
        `SELECT id FROM payouts WHERE payee_id = $1 AND status = 'held' ORDER BY created_at DESC LIMIT 1`,
        [payee.id],
      );
      if (newest)
        await copiesOf(world, await world.payout(newest.id), PORTION, {
          idempotency_key: 'gen_random_uuid()',
          rail_key: 'gen_random_uuid()',
          created_at: `created_at + nth * interval '1 millisecond'`,
        });
    };
    const change = world.get(ChangePayout);
    const withPayees = change.withPayees.bind(change);
    let portions = 0;
    jest.spyOn(change, 'withPayees').mockImplementation(async (ids, work) => {
      portions += 1;
      if (portions < LONG) await more();
      return withPayees(ids, work);
    });
    await world.get(ReleaseHeld).accrued();
    expect(portions).toBeLessThan((2 * MANY) / PORTION);
  }, 120_000);

  test('nor do payouts whose day goes by again and again for a test', async () => {
    const client = await world.client({ caps: { dailyCents: 1 } });
    const payee = await world.payee(client, { country: 'DE' });
    const first = await world.pay(client, payee, 2);
    expect(first).toMatchObject({ status: 'held', statusReason: expect.stringContaining('cap_exceeded_daily') });
    const ofYesterday = { created_at: 'now()', updated_at: `now() - interval '1 day'` };
    await copiesOf(world, first, PORTION, ofYesterday);
    await world.db.execute(`UPDATE clients SET caps = '{}' WHERE id = $1`, [client.id]);
    const change = world.get(ChangePayout);
    const withPayees = change.withPayees.bind(change);
    const portions = jest.spyOn(change, 'withPayees').mockImplementation(async (ids, work) => {
      const done = await withPayees(ids, work);
      if (portions.mock.calls.length < 10) await copiesOf(world, first, PORTION, ofYesterday);
      return done;
    });
    await world.get(ReleaseHeld).ofEarlierDays();
    expect(portions).toHaveBeenCalledTimes(1);
  });
});
