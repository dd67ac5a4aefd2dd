/** A client with a row in each table that keeps a time of clients, each time set; and all that its rows say. */
import { randomUUID } from 'node:crypto';
import type { Db } from '#libs/db';
import { CLIENT_TIMES } from '../src/db/times';

export interface SeededClient {
  clientId: string;
  payeeId: string;
  payoutId: string;
  eventId: string;
  railKey: string;
}

/** All of it is as old as that: 2026-03-10, in the last hour of a day. */
export const THEN = '2026-03-10T23:30:00.123456Z';

/** What the values are, in order: client, payee, payout, event, rail key, test mode, the time, a digest. */
const CASTS = ['::uuid', '::uuid', '::uuid', '::uuid', '::text', '::boolean', '::timestamptz', '::bytea'];
const STATEMENTS = [
  `INSERT INTO clients (id, name, test_mode, status_version, scopes, event_types, prepaid, default_currency, created_at, updated_at)
   VALUES ($1, 'c', $6, 1, '{}', '{}', true, 'USD', $7, $7)`,
  `INSERT INTO client_keys (id, client_id, hint, digest, expires_at, revoked_at, created_at)
   VALUES (gen_random_uuid(), $1, 'h', $8, $7, $7, $7)`,
  `INSERT INTO signing_secrets (id, client_id, sealed, expires_at, created_at) VALUES (gen_random_uuid(), $1, 's', $7, $7)`,
  `INSERT INTO payees (id, client_id, external_id, payable, kyc_status, onboarding_status, cooling_until, email_changed_at,
     identity_changed_at, created_at, updated_at)
   VALUES ($2, $1, 'e', true, 'verified', 'complete', $7, $7, $7, $7, $7)`,
  `INSERT INTO methods (id, client_id, payee_id, provider, provider_account_id, test_mode, payable, status, checked_at, asked_at,
     ask_at, standing_since, details_at, created_at, updated_at)
   VALUES (gen_random_uuid(), $1, $2, 'mock', $5, $6, true, 'active', $7, $7, $7, $7, $7, $7, $7)`,
  `INSERT INTO page_links (id, digest, kind, client_id, payee_id, return_url, expires_at, used_at, created_at)
   VALUES (gen_random_uuid(), $8, 'onboarding', $1, $2, 'https://r', $7, $7, $7)`,
  `INSERT INTO portal_sessions (id, digest, client_id, payee_id, link_made_at, fresh_until, expires_at, created_at)
   VALUES (gen_random_uuid(), $8, $1, $2, $7, $7, $7, $7)`,
  `INSERT INTO account_openings (id, client_id, payee_id, provider, test_mode, number, key, asked, created_at, updated_at)
   VALUES (gen_random_uuid(), $1, $2, 'mock', $6, 1, $5, '{}', $7, $7)`,
  `INSERT INTO payouts (id, client_id, payee_id, source, idempotency_key, fingerprint, rail_key, test_mode, amount_cents, currency,
     status, sequence, provider, claimed_at, settled_at, submitted_at, code_since, cleared_at, authorized_on, open_attempts,
     created_at, updated_at)
   VALUES ($3, $1, $2, 'payout', 'k', $8, $5, $6, 100, 'USD', 'paid', 3, CASE WHEN $6 THEN 'mock' ELSE 'live' END, $7, $7, $7, $7,
     $7, '2026-03-10', '[{"attempt": 1, "takenAt": "2026-03-10T23:30:00.000Z"}]', $7, $7)`,
  `INSERT INTO payout_trail (id, payout_id, sequence, type, to_status, actor, created_at)
   VALUES (gen_random_uuid(), $3, 1, 'create', 'requested', 'client', $7),
     (gen_random_uuid(), $3, 2, 'authorize', 'authorized', 'client', $7)`,
  `INSERT INTO wallet_entries (id, client_id, type, currency, amount_cents, reference, created_at)
   VALUES (gen_random_uuid(), $1, 'deposit', 'USD', 100, 'r', $7)`,
  `INSERT INTO disbursements (id, client_id, payee_id, external_ref, amount_cents, currency, status, created_at, updated_at)
   VALUES (gen_random_uuid(), $1, $2, 'x', 100, 'USD', 'owed', $7, $7)`,
  `INSERT INTO balances (payee_id, currency, day, day_cents, moved_at) VALUES ($2, 'USD', '2026-03-10', 100, $7)`,
  `INSERT INTO drift (id, rail, rail_key, kind, payout_id, found_at, resolved_at)
   VALUES (gen_random_uuid(), 'mock', $5, 'unknown_here', $3, $7, $7)`,
  `INSERT INTO rail_movements (rail, rail_key, movement, currency, amount_cents, listed_at)
   VALUES (CASE WHEN $6 THEN 'mock' ELSE 'live' END, $5, 'm', 'USD', 100, $7)`,
  `INSERT INTO events (id, client_id, type, entity_id, sequence, payload, status, attempts, next_attempt_at, delivered_at, created_at)
   VALUES ($4, $1, 'payout.paid', $3, 3, '{"at":"2026-03-10T23:30:00.000Z"}', 'delivered', 1, $7, $7, $7)`,
  `INSERT INTO event_attempts (event_id, number, started_at, duration_ms, host) VALUES ($4, 1, $7, 5, 'h')`,
  `INSERT INTO receivers (client_id, host, url_digest, consecutive_failures, failing_since, rested_at, resting_until)
   VALUES ($1, 'h', $8, 1, $7, $7, $7)`,
  `INSERT INTO jobs (name, entity_id, lane, owner, run_at, created_at)
   VALUES ('payout.drive', $3, 'mock', $1::text, $7, $7), ('mail.send', $4, $1::text, '', $7, $7)`,
  `INSERT INTO rail_records (rail, key, value, changed_at)
   VALUES ('mock', 'payment:' || $5, '{"state": "settled", "settledAt": "2026-03-10T23:30:00.123Z", "dueAt": null}', $7)`,
  `INSERT INTO used_signatures (client_id, fingerprint, expires_at) VALUES ($1, $8, $7)`,
  `INSERT INTO mails (id, client_id, kind, cause, to_address, subject, body_text, body_html, status, created_at, ended_at, allowed_at)
   VALUES (gen_random_uuid(), $1, 'k', $5, 'a@example.com', 's', 't', 'h', 'sent', $7, $7, $7)`,
  `INSERT INTO audit_log (id, actor, action, client_id, created_at) VALUES (gen_random_uuid(), 'ada', 'client.created', $1, $7)`,
];

export async function seedClient(db: Db, { testMode = true } = {}): Promise<SeededClient> {
  const [clientId = '', payeeId = '', payoutId = '', eventId = '', railKey = ''] = Array.from(
    { length: 5 },
    randomUUID,
  );
  const values = [clientId, payeeId, payoutId, eventId, railKey, testMode, THEN, Buffer.from(clientId)];
  for (const statement of STATEMENTS) {
    const used = [...new Set(statement.match(/\$\d/g) ?? [])].sort();
    const renumbered = statement.replace(
      /\$\d/g,
      (name) => `$${used.indexOf(name) + 1}${CASTS[Number(name.slice(1)) - 1]}`,
    );
    await db.execute(
      renumbered,
      used.map((name) => values[Number(name.slice(1)) - 1]),
    );
  }
  return { clientId, payeeId, payoutId, eventId, railKey };
}

/** Another one, which has so many payees beside. */
export async function clientWith(db: Db, payees: number): Promise<string> {
  const { clientId } = await seedClient(db);
  await db.execute(
    `INSERT INTO payees (id, client_id, external_id, payable, kyc_status, onboarding_status)
     SELECT gen_random_uuid(), $1, 'payee ' || nth, false, 'verified', 'complete' FROM generate_series(1, $2) AS nth`,
    [clientId, payees],
  );
  return clientId;
}

/** Every row of the client, by table, as JSON with its times to the microsecond. */
export async function rowsOf(db: Db, { clientId, railKey }: SeededClient): Promise<Record<string, object[]>> {
  const others = { used_signatures: OF_CLIENT, mails: OF_CLIENT, audit_log: OF_CLIENT };
  const tables = [...Object.entries(CLIENT_TIMES).map(([table, { of }]) => [table, of]), ...Object.entries(others)];
  const rows: Record<string, object[]> = {};
  for (const [table = '', of] of tables)
    rows[table] = await jsonOf(
      db,
      `SELECT to_jsonb(one) AS row FROM ${table} AS one WHERE ${of} ORDER BY one::text`,
      clientId,
    );
  rows.rail_records = await jsonOf(
    db,
    `SELECT to_jsonb(one) AS row FROM rail_records AS one WHERE key = 'payment:' || $1`,
    railKey,
  );
  return rows;
}

const OF_CLIENT = 'client_id = $1::uuid';

async function jsonOf(db: Db, sql: string, value: string): Promise<object[]> {
  return (await db.rows<{ row: object }>(sql, [value])).map(({ row }) => row);
}
