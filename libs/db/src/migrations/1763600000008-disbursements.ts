import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is owed before it is paid, what a payee's money comes to, and payouts that pay many rows at once. */
export class Disbursements1763600000008 implements MigrationInterface {
  readonly name = 'Disbursements1763600000008';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(PAYOUTS);
    await runner.query(DISBURSEMENTS);
    await runner.query(BALANCES);
    await runner.query(BALANCES_SO_FAR);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE disbursements, balances;
      DROP INDEX payouts_rail_key;
      ALTER TABLE payouts DROP COLUMN consolidates, DROP COLUMN superseded_by, ADD UNIQUE (rail_key)`);
  }
}

/**
 * Rows of a failed payout that are withdrawn again come to the same rail code, so that the rail itself would refuse to pay
 * them twice. Of the payouts with one code all but the last are superseded.
 */
const PAYOUTS = `
  ALTER TABLE payouts
    ADD COLUMN consolidates boolean NOT NULL DEFAULT false,
    ADD COLUMN superseded_by uuid REFERENCES payouts DEFERRABLE INITIALLY DEFERRED,
    DROP CONSTRAINT payouts_rail_key_key;
  CREATE UNIQUE INDEX payouts_rail_key
    ON payouts (rail_key, (coalesce(superseded_by, '00000000-0000-0000-0000-000000000000'::uuid)))`;

/** transaction_id: the payout a row is attached to now, or was last. It is claimed first, for a payout that follows. */
const DISBURSEMENTS = `
  CREATE TABLE disbursements (
    id uuid PRIMARY KEY,
    client_id uuid NOT NULL REFERENCES clients,
    payee_id uuid NOT NULL REFERENCES payees,
    external_ref text NOT NULL,
    amount_cents bigint NOT NULL CHECK (amount_cents > 0),
    currency char(3) NOT NULL,
    reason text,
    status text NOT NULL CHECK (status IN ('owed', 'released', 'paid', 'returned')),
    transaction_id uuid REFERENCES payouts DEFERRABLE INITIALLY DEFERRED,
    linked boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    UNIQUE (client_id, external_ref),
    CHECK (status = 'owed' OR transaction_id IS NOT NULL)
  ) WITH (fillfactor = 70);
  CREATE INDEX disbursements_newest ON disbursements (client_id, created_at DESC, id DESC);
  CREATE INDEX disbursements_by_status ON disbursements (client_id, status, created_at DESC, id DESC);
  CREATE INDEX disbursements_by_payee ON disbursements (payee_id, created_at DESC, id DESC);
  CREATE INDEX disbursements_owed ON disbursements (payee_id, currency, created_at, id) WHERE status = 'owed';
  CREATE INDEX disbursements_attached ON disbursements (transaction_id) WHERE transaction_id IS NOT NULL`;

const BALANCES = `
  CREATE TABLE balances (
    payee_id uuid NOT NULL REFERENCES payees,
    currency char(3) NOT NULL,
    withdrawable_cents bigint NOT NULL DEFAULT 0 CHECK (withdrawable_cents >= 0),
    on_the_way_cents bigint NOT NULL DEFAULT 0 CHECK (on_the_way_cents >= 0),
    action_needed_cents bigint NOT NULL DEFAULT 0 CHECK (action_needed_cents >= 0),
    held_below_minimum_cents bigint NOT NULL DEFAULT 0 CHECK (held_below_minimum_cents >= 0),
    landed_cents bigint NOT NULL DEFAULT 0 CHECK (landed_cents >= 0),
    moved_at timestamptz NOT NULL,
    PRIMARY KEY (payee_id, currency)
  ) WITH (fillfactor = 50)`;

/** Payouts that were there before there were balances. */
const BALANCES_SO_FAR = `
  INSERT INTO balances (payee_id, currency, on_the_way_cents, action_needed_cents, held_below_minimum_cents, landed_cents,
    moved_at)
  SELECT payee_id, currency,
    coalesce(sum(amount_cents) FILTER (WHERE bucket = 'on_the_way'), 0),
    coalesce(sum(amount_cents) FILTER (WHERE bucket = 'action_needed'), 0),
    coalesce(sum(amount_cents) FILTER (WHERE bucket = 'held_below_minimum'), 0),
    coalesce(sum(amount_cents) FILTER (WHERE bucket = 'landed'), 0),
    max(updated_at)
  FROM (
    SELECT payee_id, currency, amount_cents, updated_at, CASE
      WHEN status = 'paid' THEN 'landed'
      WHEN status = 'held' AND split_part(status_reason, ':', 1) = 'below_min_payout' THEN 'held_below_minimum'
      WHEN status = 'submitted' AND (custody = 'swap' OR (custody = 'claim' AND claimed_at IS NULL)) THEN 'action_needed'
      WHEN status IN ('failed', 'returned') THEN NULL
      ELSE 'on_the_way'
    END AS bucket FROM payouts
  ) AS payouts
  GROUP BY payee_id, currency`;
