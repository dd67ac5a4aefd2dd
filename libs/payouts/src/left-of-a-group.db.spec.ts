/** A group that reached its floor goes on in several runs of a sweep: what is left of it is below its floor by then, and goes on all the same. */
import type { Client } from '#libs/clients';
import type { Payee } from '#libs/payees';
import { copiesOf, type MoneyWorld, startMoneyWorld } from '../testing/src';
import { ReleaseHeld } from './use-cases/release-held';

/** More than one transaction takes of a group. */
const MANY = 2_999;
const MOST_OF_EACH = 100;

describe('what is left of a large group that reached its floor', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  /** Held below its floor, and just enough for it together. */
  const reached = async (): Promise<{ client: Client; payee: Payee }> => {
    const client = await world.client({ floors: { claim_rail: MANY + 1 } });
    const payee = await world.payee(client, { country: 'DE' });
    const first = await world.pay(client, payee, 1);
    expect(first).toMatchObject({ status: 'held', statusReason: expect.stringContaining('below_min_payout') });
    await copiesOf(world, first, MANY, { created_at: 'created_at' });
    await world.db.execute('UPDATE balances SET held_below_minimum_cents = $2::int WHERE payee_id = $1', [
      payee.id,
      MANY + 1,
    ]);
    return { client, payee };
  };
  const run = (): Promise<number> => world.get(ReleaseHeld).accrued({ mostOfEach: MOST_OF_EACH });
  const held = (payee: Payee): Promise<{ id: string }[]> =>
    world.db.rows(`SELECT id FROM payouts WHERE payee_id = $1 AND status = 'held'`, [payee.id]);

  test('goes on in the next runs, and what came since waits', async () => {
    const { client, payee } = await reached();
    const counts = [await run()];
    const since = await world.pay(client, payee, 1);
    while (counts.length < 20 && counts.at(-1) !== 0) counts.push(await run());
    expect(counts[0]).toBeLessThan(MANY);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(MANY + 1);
    expect(await held(payee)).toEqual([{ id: since.id }]);
  }, 60_000);

  test('goes on once its client is no longer suspended, as it was for a sweep or two', async () => {
    const { client, payee } = await reached();
    const begun = await run();
    expect(begun).toBeGreaterThan(0);
    expect(begun).toBeLessThan(MANY);
    await world.setStatus(client, 'suspended');
    expect([await run(), await run()]).toEqual([0, 0]);
    await world.setStatus(client, 'active');
    for (let runs = 0; runs < 20 && (await run()) > 0; runs += 1);
    expect(await held(payee)).toEqual([]);
  }, 60_000);
});
