import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Payouts and the trail of every step they took. */
export class Payouts1763600000005 implements MigrationInterface {
  readonly name = 'Payouts1763600000005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(PAYOUTS);
    await runner.query(TRAIL);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE payout_trail, payouts');
  }
}

/** test_mode stands on the row so that the database itself refuses a test payout on a real rail, and the reverse. */
const PAYOUTS = `
  CREATE TABLE payouts (
    id uuid PRIMARY KEY,
    client_id uuid NOT NULL REFERENCES clients,
    payee_id uuid NOT NULL REFERENCES payees,
    source text NOT NULL CHECK (source IN ('payout', 'batch', 'withdraw', 'portal', 'auto_release')),
    idempotency_key text NOT NULL,
    fingerprint bytea NOT NULL,
    rail_key text NOT NULL UNIQUE,
    test_mode boolean NOT NULL,
    amount_cents bigint NOT NULL CHECK (amount_cents > 0),
    currency char(3) NOT NULL,
    status text NOT NULL
      CHECK (status IN ('requested', 'authorized', 'submitted', 'held', 'failed', 'paid', 'returned')),
    sequence integer NOT NULL,
    provider text,
    provider_ref text,
    custody text CHECK (custody IN ('custodial', 'claim', 'swap')),
    account_id text,
    reason text,
    ref text,
    metadata jsonb NOT NULL DEFAULT '{}',
    failure_kind text CHECK (failure_kind IN ('transient', 'permanent')),
    status_reason text,
    claim_url text,
    claimed_at timestamptz,
    settled_at timestamptz,
    lifting_fee_cents bigint NOT NULL DEFAULT 0,
    to_send boolean NOT NULL DEFAULT false,
    submitted_at timestamptz,
    authorized_on date,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    UNIQUE (client_id, idempotency_key),
    CHECK (provider IS NULL OR test_mode = (provider = 'mock'))
  ) WITH (fillfactor = 80);
  CREATE INDEX payouts_newest ON payouts (client_id, created_at DESC, id DESC);
  CREATE INDEX payouts_by_status ON payouts (client_id, status, created_at DESC, id DESC);
  CREATE INDEX payouts_by_payee ON payouts (payee_id, created_at DESC, id DESC);
  CREATE INDEX payouts_by_ref ON payouts (client_id, ref, created_at DESC, id DESC) WHERE ref IS NOT NULL;
  CREATE INDEX payouts_under_way ON payouts (updated_at) WHERE status IN ('authorized', 'submitted');
  CREATE INDEX payouts_of_a_day ON payouts (payee_id, currency, authorized_on)
    WHERE authorized_on IS NOT NULL`;

const TRAIL = `
  CREATE TABLE payout_trail (
    id uuid PRIMARY KEY,
    payout_id uuid NOT NULL REFERENCES payouts,
    sequence integer NOT NULL,
    type text NOT NULL,
    from_status text,
    to_status text NOT NULL,
    status_reason text,
    failure_kind text,
    actor text NOT NULL CHECK (actor IN ('client', 'payee', 'operator', 'system', 'rail')),
    custody text,
    claimed boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL,
    UNIQUE (payout_id, sequence)
  );
  CREATE TRIGGER payout_trail_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON payout_trail
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`;
