import { randomUUID } from 'node:crypto';
import { rowsRemoved, scratchDb, type ScratchDb } from '#libs/db/testing';
import { DisbursementReads } from './disbursement.reads';

describe('payouts that owed rows were on before', () => {
  const [clientId, payeeId, before] = [randomUUID(), randomUUID(), randomUUID()];
  let scratch: ScratchDb;
  beforeAll(async () => {
    scratch = await scratchDb();
    await scratch.db.execute(
      `INSERT INTO clients (id, name, status, test_mode, status_version, scopes, event_types, prepaid,
      default_currency, caps, floors, withdraw_policy, require_signature_v2)
      VALUES ($1, 'a', 'active', true, 1, '{}', '{}', false, 'USD', '{}', '{}', '{}', false)`,
      [clientId],
    );
    await scratch.db.execute(
      `INSERT INTO payees (id, client_id, external_id, payable, kyc_status, onboarding_status, created_at)
       VALUES ($2, $1, 'ada', true, 'verified', 'complete', now())`,
      [clientId, payeeId],
    );
    await scratch.db.execute(
      `INSERT INTO disbursements (id, client_id, payee_id, external_ref, amount_cents, currency, status, earlier, created_at, updated_at)
       SELECT gen_random_uuid(), $1, $2, n::text, 1, 'USD', 'owed', CASE WHEN n = 7 THEN ARRAY[$3::uuid] ELSE '{}' END, now(), now()
       FROM generate_series(1, 4000) AS n`,
      [clientId, payeeId, before],
    );
    await scratch.db.execute('VACUUM ANALYZE disbursements');
  });
  afterAll(() => scratch.drop());

  test('are read off an index, however many rows were on none', async () => {
    const asked = jest.spyOn(scratch.db, 'rows');
    expect(await new DisbursementReads(scratch.db).earlier(clientId, payeeId)).toEqual({
      earlier: [{ id: before, isLast: false }],
      takenBack: [],
    });
    const [sql, values] = asked.mock.calls[0] as [string, unknown[]];
    asked.mockRestore();
    expect(await rowsRemoved(scratch.db, sql, values)).toBe(0);
  });
});
