/** What a rail keeps of a payout is there only while the payout is. */
import { randomUUID } from 'node:crypto';
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import { PostgresRailStore } from './postgres-rail-store';

describe('a record of a payout', () => {
  let scratch: ScratchDb;
  let store: PostgresRailStore;
  let clientId: string;
  beforeAll(async () => {
    scratch = await scratchDb();
    store = new PostgresRailStore(scratch.db, 'mock');
    clientId = randomUUID();
    await scratch.db.execute(
      `INSERT INTO clients (id, name, test_mode, status_version, scopes, event_types, prepaid, default_currency)
       VALUES ($1, 'c', true, 1, '{}', '{}', false, 'USD')`,
      [clientId],
    );
    await scratch.db.execute(
      `INSERT INTO payees (id, client_id, external_id, payable, kyc_status, onboarding_status)
       VALUES ($1::uuid, $1::uuid, 'e', true, 'verified', 'complete')`,
      [clientId],
    );
  });
  afterAll(() => scratch.drop());

  const payout = async (): Promise<string> => {
    const id = randomUUID();
    await scratch.db.execute(
      `INSERT INTO payouts (id, client_id, payee_id, source, idempotency_key, fingerprint, rail_key, test_mode, amount_cents,
         currency, status, sequence, created_at, updated_at)
       VALUES ($1::uuid, $2::uuid, $2::uuid, 'payout', $1::text, '', $1::text, true, 100, 'USD', 'submitted', 1, now(), now())`,
      [id, clientId],
    );
    return id;
  };
  const goes = (id: string): Promise<number> => scratch.db.execute('DELETE FROM payouts WHERE id = $1', [id]);

  test('is kept by whoever is first', async () => {
    const id = await payout();
    expect(await store.claimFor(id, id, { by: 'one' })).toEqual({ by: 'one' });
    expect(await store.claimFor(id, id, { by: 'other' })).toEqual({ by: 'one' });
  });

  test('is not kept once the payout is gone', async () => {
    const id = await payout();
    await goes(id);
    expect(await store.claimFor(id, id, { by: 'one' })).toBeNull();
    expect(await store.read(id)).toBeNull();
  });

  test('waits for whoever is about to take the payout away', async () => {
    const id = await payout();
    let claimed: Promise<unknown> = Promise.resolve();
    await scratch.db.inTransaction(async () => {
      await goes(id);
      claimed = scratch.db.outsideTransaction(() => store.claimFor(id, id, { by: 'one' }));
      const waits = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      // A transaction would see the same sessions all the time.
      const waiting = () => scratch.db.outsideTransaction(() => scratch.db.rows(waits));
      while ((await waiting()).length === 0) await new Promise((resolve) => setImmediate(resolve));
    });
    expect(await claimed).toBeNull();
  });
});
