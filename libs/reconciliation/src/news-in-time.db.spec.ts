/** What a rail lists is written down payout by payout: one whose news cannot be in time keeps nobody else's. */
import { systemClock } from '#libs/domain';
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { compare, startReconciledWorld } from '../testing/src';

describe('a list of what a rail moved', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startReconciledWorld();
    // As PostgreSQL does with a statement that took too long.
    await world.db.execute('CREATE TABLE slow (client_id uuid)');
    await world.db.execute(`CREATE FUNCTION take_too_long() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF EXISTS (SELECT FROM slow WHERE client_id = NEW.client_id) THEN
        RAISE EXCEPTION 'canceling statement due to statement timeout' USING ERRCODE = 'query_canceled';
      END IF; RETURN NEW; END $$`);
    await world.db.execute(
      'CREATE TRIGGER slow BEFORE UPDATE ON payouts FOR EACH ROW EXECUTE FUNCTION take_too_long()',
    );
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    await world.db.execute('DELETE FROM slow');
  });

  const failed = async (client: Client, count: number): Promise<Payout[]> => {
    world.rail.answers = () => refused();
    const payouts: Payout[] = [];
    for (let n = 0; n < count; n += 1) {
      const { id } = await world.pay(client, await world.payee(client));
      await world.drive(id);
      payouts.push(await world.payout(id));
    }
    world.rail.answers = null;
    expect(payouts.every(({ status }) => status === 'failed')).toBe(true);
    return payouts;
  };
  const moves = (payouts: Payout[]): void => {
    for (const { railKey } of payouts) world.rail.knows.set(railKey, settled(railKey));
    world.rail.moved = payouts.map(({ railKey, amountCents }) => ({
      ...{ railKey, amountCents, providerRef: railKey, currency: 'USD', movedAt: systemClock.now() },
    }));
  };
  const statuses = (payouts: Payout[]): Promise<string[]> => Promise.all(payouts.map(({ id }) => world.status(id)));
  const looks = async (payouts: Payout[]): Promise<number> =>
    (
      await world.db.rows(`SELECT FROM jobs WHERE name = 'payout.look' AND entity_id = ANY($1)`, [
        payouts.map(({ id }) => id),
      ])
    ).length;

  test("tells of others' money, and what could not be written down gets a job", async () => {
    const [slow, quick] = [await world.client(), await world.client()];
    // More than are asked about at once, and before the others.
    const late = await failed(slow, 10);
    const others = await failed(quick, 2);
    moves([...late, ...others]);
    await world.db.execute('INSERT INTO slow VALUES ($1)', [slow.id]);
    await compare(world);
    expect(await statuses(others)).toEqual(['paid', 'paid']);
    expect(await looks(late)).toBe(late.length);
    const asked = new Set(world.rail.asked.map(({ payoutId }) => payoutId));
    expect(late.filter(({ id }) => asked.has(id))).toHaveLength(8);
    await world.db.execute('DELETE FROM slow');
    for (const { id } of late) await world.work('payout.look', id);
    expect(new Set(await statuses(late))).toEqual(new Set(['paid']));
  });
});
