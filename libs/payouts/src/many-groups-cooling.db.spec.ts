/** Very many payees whose payouts would reach their floor if not some of them cooled down: they cost nobody else. */
import { KeepClients } from '#libs/clients';
import { type Payee, UpsertPayee } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';
import { SelfReleaseJobs } from './jobs/self-release.job';
import { ChangePayout } from './use-cases/change-payout';

describe('very many payees, of whom none has enough that may leave', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  const columnsOf = async (table: string): Promise<string[]> => {
    const known = await world.db.rows<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1 AND is_generated = 'NEVER'`,
      [table],
    );
    return known.map(({ name }) => name);
  };
  /** As many more of them, each with payouts of their own. */
  const copies = async ({ id }: Payee, count: number): Promise<void> => {
    const [ofPayees, ofPayouts] = [await columnsOf('payees'), await columnsOf('payouts')];
    const selected = (names: string[], from: string, values: Record<string, string>): string =>
      names.map((name) => values[name] ?? `${from}.${name}`).join(', ');
    const payee = { id: 'gen_random_uuid()', external_id: `payees.external_id || '-' || nth` };
    await world.db.execute(
      `INSERT INTO payees (${ofPayees.join(', ')}) SELECT ${selected(ofPayees, 'payees', payee)}
       FROM payees, generate_series(1, $2::int) AS nth WHERE payees.id = $1`,
      [id, count],
    );
    const payout = {
      id: 'gen_random_uuid()',
      payee_id: 'other.id',
      idempotency_key: `payouts.idempotency_key || '-' || other.id`,
      rail_key: `payouts.rail_key || '-' || other.id`,
    };
    await world.db.execute(
      `INSERT INTO payouts (${ofPayouts.join(', ')}) SELECT ${selected(ofPayouts, 'payouts', payout)}
       FROM payouts JOIN payees AS first ON first.id = payouts.payee_id
       JOIN payees AS other ON other.external_id LIKE first.external_id || '-%' WHERE first.id = $1`,
      [id],
    );
  };

  test('keep no other client waiting, whose payouts reach their floor', async () => {
    const busy = await world.client({ floors: { claim_rail: 1_000 }, coolDownSeconds: 86_400 });
    const cooling = await world.payee(busy, { country: 'DE' });
    const old = await world.pay(busy, cooling, 900);
    await world.get(UpsertPayee).run(busy, { externalId: cooling.externalId, email: 'new@example.com' });
    const young = await world.pay(busy, cooling, 150);
    expect([await world.status(old.id), await world.status(young.id)]).toEqual(['held', 'held']);
    await copies(cooling, 800);
    const other = await world.client({ floors: { claim_rail: 1_000 } });
    const payee = await world.payee(other, { country: 'DE' });
    const waiting = await world.pay(other, payee, 900);
    expect(await world.status(waiting.id)).toBe('held');
    await world.db.inTransaction(() => world.get(KeepClients).change(other.id, { floors: { claim_rail: 500 } }));

    const looks = jest.spyOn(world.get(ChangePayout), 'withPayees');
    await world.get(SelfReleaseJobs).sweep();
    expect(await world.status(waiting.id)).toBe('authorized');
    expect(await world.status(young.id)).toBe('held');
    // Each of the others is looked at in a transaction of its own, and all of them again 30 seconds later.
    const before = looks.mock.calls.findIndex(([ids]) => ids.includes(payee.id));
    expect(before).toBeLessThan(500);
  }, 180_000);
});
