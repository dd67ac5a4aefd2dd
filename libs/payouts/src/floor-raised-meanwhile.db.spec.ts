/** A floor that is raised while the sweep is under way counts for all of a group, also for the portions after the first one. */
import { type Client, KeepClients } from '#libs/clients';
import { holding, waitedFor } from '#libs/db/testing';
import { UpsertPayee } from '#libs/payees';
import type { Payout } from '#libs/payout-rules';
import { changeIsDated, type MoneyWorld, startMoneyWorld } from '../testing/src';
import { ReleaseHeld } from './use-cases/release-held';

describe('a floor that is raised again while a sweep waits for a payee', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  const setFloor = ({ id }: Client, cents: number): Promise<unknown> =>
    world.db.inTransaction(() => world.get(KeepClients).change(id, { floors: { claim_rail: cents } }));

  const copies = async ({ id, payeeId }: Payout, count: number): Promise<void> => {
    const known = await world.db.rows<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'payouts' AND is_generated = 'NEVER'`,
    );
    const names = known.map(({ name }) => name);
    const values: Record<string, string> = {
      id: 'gen_random_uuid()',
      idempotency_key: `idempotency_key || '-' || gen_random_uuid()`,
      rail_key: `rail_key || '-' || gen_random_uuid()`,
      created_at: `created_at - nth * interval '1 millisecond'`,
    };
    await world.db.execute(
      `INSERT INTO payouts (${names.join(', ')}) SELECT ${names.map((name) => values[name] ?? name).join(', ')}
       FROM payouts, generate_series(1, $2::int) AS nth WHERE id = $1`,
      [id, count],
    );
    await world.db.execute(
      'UPDATE balances SET held_below_minimum_cents = held_below_minimum_cents * ($2::int + 1) WHERE payee_id = $1',
      [payeeId, count],
    );
  };

  test.each([100, 600])('nothing of %i payouts below it goes on', async (count) => {
    const client = await world.client({ floors: { claim_rail: 100_000 } });
    const payee = await world.payee(client);
    const first = await world.pay(client, payee, 100);
    await copies(first, count - 1);
    await setFloor(client, 1_000); // by mistake
    const letGo = await holding(world.db, 'SELECT FROM payees WHERE id = $1 FOR UPDATE', [payee.id]);
    const sweep = world.get(ReleaseHeld).accrued();
    await waitedFor(world.db, 'payees', 'id = $1', [payee.id]);
    await setFloor(client, 100_000);
    await letGo();
    await sweep;
    const left = await world.db.rows(
      'SELECT status, count(*)::int AS count FROM payouts WHERE payee_id = $1 GROUP BY 1',
      [payee.id],
    );
    expect(left).toEqual([{ status: 'held', count }]);
  });

  test('what waits for a cool-down, first and in portions of its own, carries nothing over it', async () => {
    const client = await world.client({ floors: { claim_rail: 1_000 }, coolDownSeconds: 86_400 });
    const payee = await world.payee(client, { country: 'DE' });
    await copies(await world.pay(client, payee, 1), 299);
    await world.get(UpsertPayee).run(client, { externalId: payee.externalId, email: 'new@example.com' });
    await changeIsDated(world, payee.id);
    const young = await world.pay(client, payee, 900);
    await world.get(ReleaseHeld).accrued();
    expect(await world.status(young.id)).toBe('held');
    await setFloor(client, 900);
    await world.get(ReleaseHeld).accrued();
    expect(await world.status(young.id)).toBe('authorized');
    const left = await world.db.rows(
      'SELECT status, count(*)::int AS count FROM payouts WHERE payee_id = $1 GROUP BY 1 ORDER BY 1',
      [payee.id],
    );
    expect(left).toEqual([
      { status: 'authorized', count: 1 },
      { status: 'held', count: 300 },
    ]);
  });

  test('is compared with all that may leave, if no portion reaches it', async () => {
    const client = await world.client({ floors: { claim_rail: 50_000 } });
    const payee = await world.payee(client);
    await copies(await world.pay(client, payee, 100), 599);
    await world.get(ReleaseHeld).accrued();
    const left = await world.db.rows(
      'SELECT status, count(*)::int AS count FROM payouts WHERE payee_id = $1 GROUP BY 1',
      [payee.id],
    );
    expect(left).toEqual([{ status: 'authorized', count: 600 }]);
  });
});
