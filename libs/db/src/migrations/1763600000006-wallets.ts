import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Prepaid money, what payouts wait for, and what rails say that differs from what we know. */
export class Wallets1763600000006 implements MigrationInterface {
  readonly name = 'Wallets1763600000006';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(WALLETS);
    await runner.query(PAYOUTS);
    await runner.query(PAYEES);
    await runner.query(METHODS);
    await runner.query(DRIFT);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE rail_notices, rail_scans, drift;
      DROP INDEX payees_by_kyc, payees_by_payable;
      DROP INDEX methods_to_check;
      ALTER TABLE methods DROP COLUMN checked_at;
      DROP INDEX payouts_newest_of_all, payouts_by_provider, payouts_held, payouts_moved;
      ALTER TABLE payouts DROP COLUMN prepaid, DROP COLUMN short_of;
      DROP TABLE wallets, wallet_entries`);
  }
}

const WALLETS = `
  CREATE TABLE wallet_entries (
    id uuid PRIMARY KEY,
    client_id uuid NOT NULL REFERENCES clients,
    type text NOT NULL CHECK (type IN ('deposit', 'adjustment')),
    currency char(3) NOT NULL,
    amount_cents bigint NOT NULL CHECK (amount_cents > 0 OR (type = 'adjustment' AND amount_cents < 0)),
    reference text NOT NULL,
    note text,
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (client_id, reference)
  );
  CREATE INDEX wallet_entries_newest ON wallet_entries (client_id, created_at DESC, id DESC);
  CREATE TRIGGER wallet_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON wallet_entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

  CREATE TABLE wallets (
    client_id uuid NOT NULL REFERENCES clients,
    currency char(3) NOT NULL,
    deposited_cents bigint NOT NULL DEFAULT 0,
    in_flight_cents bigint NOT NULL DEFAULT 0 CHECK (in_flight_cents >= 0),
    paid_cents bigint NOT NULL DEFAULT 0 CHECK (paid_cents >= 0),
    fee_cents bigint NOT NULL DEFAULT 0 CHECK (fee_cents >= 0),
    PRIMARY KEY (client_id, currency)
  ) WITH (fillfactor = 50)`;

/** prepaid: it draws on its client's wallet. short_of: whose funds a payout held for lack of funds waits for. */
const PAYOUTS = `
  ALTER TABLE payouts
    ADD COLUMN prepaid boolean NOT NULL DEFAULT false,
    ADD COLUMN short_of text CHECK (short_of IN ('wallet', 'rail'));
  CREATE INDEX payouts_newest_of_all ON payouts (created_at DESC, id DESC);
  CREATE INDEX payouts_by_provider ON payouts (client_id, provider, created_at DESC, id DESC);
  CREATE INDEX payouts_held ON payouts (split_part(status_reason, ':', 1), payee_id, created_at) WHERE status = 'held';
  CREATE INDEX payouts_moved ON payouts (provider, updated_at) WHERE status IN ('paid', 'returned')`;

/** Filters that leave few payees must not read through all of them. */
const PAYEES = `
  CREATE INDEX payees_by_kyc ON payees (client_id, kyc_status, created_at DESC, id DESC);
  CREATE INDEX payees_by_payable ON payees (client_id, payable, created_at DESC, id DESC);
  DROP INDEX payees_by_email;
  CREATE INDEX payees_by_email ON payees (client_id, email, created_at DESC, id DESC)`;

/** When a rail was last asked about an account: those who wait for it longest are asked first. */
const METHODS = `
  ALTER TABLE methods ADD COLUMN checked_at timestamptz NOT NULL DEFAULT now();
  CREATE INDEX methods_to_check ON methods (payable, checked_at) WHERE status = 'active'`;

const DRIFT = `
  CREATE TABLE drift (
    id uuid PRIMARY KEY,
    rail text NOT NULL,
    rail_key text NOT NULL,
    kind text NOT NULL,
    payout_id uuid,
    provider_ref text,
    rail_cents bigint,
    rail_currency text,
    our_cents bigint,
    our_currency text,
    our_status text,
    found_at timestamptz NOT NULL DEFAULT now(),
    resolved_at timestamptz
  );
  CREATE UNIQUE INDEX drift_open ON drift (rail, rail_key, kind) WHERE resolved_at IS NULL;
  CREATE INDEX drift_newest ON drift (found_at DESC, id DESC);

  CREATE TABLE rail_scans (
    rail text PRIMARY KEY,
    scanned_until timestamptz NOT NULL
  );

  CREATE TABLE rail_notices (
    rail text NOT NULL,
    notice_id text NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (rail, notice_id)
  )`;
