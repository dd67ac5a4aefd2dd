/**
 * One client has very many payouts that a wallet covers and that stay held all the same, for their payee cools down. What another client
 * lets go on by itself does not wait until each of them was looked at, every half minute anew.
 */
import type { Client } from '#libs/clients';
import { type Payee, UpsertPayee } from '#libs/payees';
import type { Payout } from '#libs/payout-rules';
import { WalletBook } from '#libs/wallets';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';
import { HeldReads } from './db/held.reads';
import { SelfReleaseJobs } from './jobs/self-release.job';
import { CancelPayout } from './use-cases/cancel-payout';

const MANY = 400;

describe('what another client has that stays held', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  /** As many more of it, each a second younger than the one before. */
  const copies = async ({ id }: Payout, count: number): Promise<void> => {
    const known = await world.db.rows<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'payouts' AND is_generated = 'NEVER'`,
    );
    const names = known.map(({ name }) => name);
    const values: Record<string, string> = {
      id: 'gen_random_uuid()',
      idempotency_key: `idempotency_key || '-' || gen_random_uuid()`,
      rail_key: `rail_key || '-' || gen_random_uuid()`,
      created_at: `created_at - nth * interval '1 second'`,
    };
    await world.db.execute(
      `INSERT INTO payouts (${names.join(', ')}) SELECT ${names.map((name) => values[name] ?? name).join(', ')}
       FROM payouts, generate_series(1, $2::int) AS nth WHERE id = $1`,
      [id, count],
    );
  };
  const named = ({ externalId }: Payee, client: Client, fields: { email?: string; name?: string }): Promise<Payee> =>
    world.get(UpsertPayee).run(client, { externalId, ...fields });

  test('does not come before what goes on', async () => {
    const crowd = await world.client({ prepaid: true });
    const payee = await world.payee(crowd, { country: 'DE', email: 'old@example.com' });
    await world
      .get(WalletBook)
      .post({ clientId: crowd.id, type: 'deposit', currency: 'USD', amountCents: 1_000, reference: 'one', note: null });
    const covered = await world.pay(crowd, payee, 1_000);
    const waiting = await world.pay(crowd, payee, 1_000);
    expect([covered.status, waiting.status]).toEqual(['authorized', 'held']);
    await copies(waiting, MANY - 1);
    await named(payee, crowd, { email: 'new@example.com' });
    await world.get(CancelPayout).run(await world.payout(covered.id));

    const other = await world.client({ autoRelease: ['missing_email'] });
    const reader = await world.payee(other, { country: 'DE', email: null });
    const { id } = await world.pay(other, reader, 1_000);
    expect(await world.status(id)).toBe('held');
    await named(reader, other, { email: 'reader@example.com' });

    const reads = world.get(HeldReads);
    const lock = reads.lock.bind(reads);
    let looks = 0;
    let before: number | null = null;
    jest.spyOn(reads, 'lock').mockImplementation(async (...asked) => {
      looks += 1;
      if (looks % 100 === 0 && before === null && (await world.status(id)) !== 'held') before = looks;
      return lock(...asked);
    });
    await world.get(SelfReleaseJobs).release();
    expect(await world.status(id)).toBe('authorized');
    expect(before ?? looks).toBeLessThan(MANY);
  });
});
