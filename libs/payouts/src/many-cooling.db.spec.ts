/** Very many payouts of one client that wait for its wallet, and for their payee's cool-down as well: they cost nobody else. */
import { randomUUID } from 'node:crypto';
import { KeepClients } from '#libs/clients';
import { UpsertPayee } from '#libs/payees';
import type { Payout } from '#libs/payout-rules';
import { WalletBook } from '#libs/wallets';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';
import { SelfReleaseJobs } from './jobs/self-release.job';
import { ChangePayout } from './use-cases/change-payout';

describe('very many payouts that wait for a wallet, and for a cool-down', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
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

  test('keep no other client waiting, whose payouts nothing stands in the way of', async () => {
    const busy = await world.client({ prepaid: true, coolDownSeconds: 86_400 });
    const cooling = await world.payee(busy);
    await copies(await world.pay(busy, cooling, 900), 800);
    await world.get(UpsertPayee).run(busy, { externalId: cooling.externalId, email: 'new@example.com' });
    const entry = { type: 'deposit', currency: 'USD', note: null, amountCents: 900 } as const;
    await world.get(WalletBook).post({ ...entry, clientId: busy.id, reference: randomUUID() });
    const other = await world.client({ autoRelease: ['cap_exceeded_single'], caps: { singleCents: 500 } });
    const payee = await world.payee(other);
    const waiting = await world.pay(other, payee, 900);
    expect(await world.status(waiting.id)).toBe('held');
    await world.db.inTransaction(() => world.get(KeepClients).change(other.id, { caps: {} }));

    const looks = jest.spyOn(world.get(ChangePayout), 'withPayees');
    await world.get(SelfReleaseJobs).release();
    expect(await world.status(waiting.id)).toBe('authorized');
    // Each of the others is looked at in a transaction of its own, and all of them again 30 seconds later.
    const before = looks.mock.calls.findIndex(([ids]) => ids.includes(payee.id));
    expect(before).toBeLessThan(500);
  }, 180_000);
});
