// The limits that PostgreSQL sets. The least a payout can be: one prepared statement, on tables of its own. And what a
// payout really writes, on the real tables, several payouts in a statement.
import { StatementRate } from './statement-rate.mjs';

const LEAST = 'bench_limit';
const ROWS = 'bench_rows';

const TABLES = `
  CREATE TABLE limit_payouts (
    id uuid PRIMARY KEY,
    client_id uuid NOT NULL,
    payee_id uuid NOT NULL,
    idempotency_key text NOT NULL,
    fingerprint bytea NOT NULL,
    amount_cents bigint NOT NULL,
    currency char(3) NOT NULL,
    status text NOT NULL,
    created_at timestamptz NOT NULL,
    UNIQUE (client_id, idempotency_key)
  );
  CREATE TABLE limit_trail (
    payout_id uuid NOT NULL,
    sequence integer NOT NULL,
    to_status text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (payout_id, sequence)
  );
  CREATE TABLE limit_outbox (id uuid PRIMARY KEY, payout_id uuid NOT NULL, created_at timestamptz NOT NULL)`;

const AMOUNT = '100 + (random() * 99900)::int';

const LEAST_PAYOUT = `
  WITH payout AS (
    INSERT INTO limit_payouts
    VALUES (uuidv7(), '019a0000-0000-7000-8000-000000000000', gen_random_uuid(), gen_random_uuid()::text,
      sha256('payout'::bytea), ${AMOUNT}, 'USD', 'authorized', now())
    RETURNING id
  ), trail AS (
    INSERT INTO limit_trail SELECT id, step, status, now()
    FROM payout, (VALUES (1, 'requested'), (2, 'authorized')) AS steps (step, status)
  )
  INSERT INTO limit_outbox SELECT uuidv7(), id, now() FROM payout`;

/** A payout on a rail that is worked by a queue: its row, two steps with their events, its job, and the used signature. */
const realPayouts = ({ clientId }, count) => `
  WITH payees AS (SELECT array_agg(id) AS ids FROM payees WHERE client_id = '${clientId}'),
  made AS (
    INSERT INTO payouts (id, client_id, payee_id, source, idempotency_key, fingerprint, rail_key, test_mode, amount_cents,
      currency, status, sequence, provider, custody, to_send, destination, authorized_on, created_at, updated_at)
    SELECT uuidv7(), '${clientId}', ids[1 + floor(random() * cardinality(ids))::int], 'payout', gen_random_uuid()::text,
      sha256('payout'::bytea), 'gw' || gen_random_uuid(), false, ${AMOUNT}, 'USD', 'authorized', 2, 'claim_rail', 'claim',
      true, '{"email":"payee@example.com","name":"Ada","country":"US"}', current_date, now(), now()
    FROM payees, generate_series(1, ${count})
    RETURNING id
  ), steps AS (
    SELECT made.id, step, type, from_status, to_status
    FROM made, (VALUES (1, 'create', NULL, 'requested'), (2, 'route', 'requested', 'authorized'))
      AS steps (step, type, from_status, to_status)
  ), trail AS (
    INSERT INTO payout_trail (id, payout_id, sequence, type, from_status, to_status, actor, custody, created_at)
    SELECT uuidv7(), id, step, type, from_status, to_status, 'client', 'claim', now() FROM steps
  ), told AS (
    INSERT INTO events (id, client_id, type, entity_id, sequence, payload, status)
    SELECT uuidv7(), '${clientId}', 'payout.status', id, step,
      json_build_object('type', 'payout.status', 'transactionId', id, 'status', to_status, 'note', repeat('x', 300)), 'skipped'
    FROM steps
  ), job AS (
    INSERT INTO jobs (name, entity_id, lane, run_at) SELECT 'payout.drive', id, 'claim_rail', now() FROM made
  )
  INSERT INTO used_signatures (client_id, fingerprint, expires_at)
  SELECT '${clientId}', sha256(id::text::bytea), now() + interval '6 minutes' FROM made`;

export class Limit {
  #server;
  #rate;

  constructor(stage, server) {
    this.#server = server;
    this.#rate = new StatementRate(stage, server);
  }

  get measuredBy() {
    return this.#rate.measuredBy;
  }

  get isGuess() {
    return this.#rate.isGuess;
  }

  async prepare() {
    await this.#server.create(LEAST);
    await this.#server.query(LEAST, TABLES);
  }

  /** Payouts per second. Every round begins with empty tables, right after a checkpoint. */
  async least(seconds) {
    await this.#server.query(LEAST, 'TRUNCATE limit_payouts, limit_trail, limit_outbox');
    return this.#rate.of(LEAST, LEAST_PAYOUT, seconds);
  }

  /** Payouts per second, so many in a statement, in a copy of a database that has the caller and its payees. */
  async rows(template, caller, { together, seconds }) {
    await this.#server.create(ROWS, template);
    const statements = await this.#rate.of(ROWS, realPayouts(caller, together), seconds);
    await this.#server.drop(ROWS);
    return statements * together;
  }
}
