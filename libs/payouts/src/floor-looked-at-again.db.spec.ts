/** Payouts that cool down carry no others over a floor: then they need not be loaded with each new one either, in a transaction that others share. */
import { Db } from '#libs/db';
import { UpsertPayee } from '#libs/payees';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';

describe('a group below its floor, of which very many cool down', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  const copies = async ({ id }: Payout, count: number): Promise<void> => {
    const known = await world.db.rows<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'payouts' AND is_generated = 'NEVER'`,
    );
    const names = known.map(({ name }) => name);
    const values: Record<string, string> = {
      id: 'gen_random_uuid()',
      idempotency_key: `idempotency_key || '-' || gen_random_uuid()`,
      rail_key: `rail_key || '-' || gen_random_uuid()`,
    };
    await world.db.execute(
      `INSERT INTO payouts (${names.join(', ')}) SELECT ${names.map((name) => values[name] ?? name).join(', ')}
       FROM payouts, generate_series(1, $2::int) WHERE id = $1`,
      [id, count],
    );
  };
  /** How many payouts each statement answers from now on, of those that answer any. */
  const loaded = (): number[] => {
    const counts: number[] = [];
    const rows = Db.prototype.rows;
    jest.spyOn(Db.prototype, 'rows').mockImplementation(async function (this: Db, sql, values) {
      const found = await rows.call(this, sql, values);
      const payouts = (found as Partial<Payout>[]).filter(({ railKey, fingerprint }) => railKey && fingerprint);
      if (payouts.length > 0) counts.push(payouts.length);
      return found as never;
    });
    return counts;
  };

  test('loads them with none of the new ones that do not reach it', async () => {
    const client = await world.client({ floors: { claim_rail: 2_500 }, coolDownSeconds: 86_400 });
    const payee = await world.payee(client, { country: 'DE' });
    await copies(await world.pay(client, payee, 1), 2_000);
    await world.get(UpsertPayee).run(client, { externalId: payee.externalId, email: 'new@example.com' });
    await world.pay(client, payee, 480);
    const counts = loaded();
    // They come to 2,501 and more, of which 500 and a few may leave.
    for (const cents of [20, 1, 1]) expect((await world.pay(client, payee, cents)).status).toBe('held');
    expect(counts.filter((count) => count > 1)).toEqual([]);
  }, 60_000);
});
