import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Every send of a payout has a number, written before the call; what a payout pays to is fixed with it. Money that a rail
 * moved after all waits for an operator. A changed e-mail address is remembered for payees who are paid by it.
 */
export class Attempts1763600000010 implements MigrationInterface {
  readonly name = 'Attempts1763600000010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(PAYOUTS);
    await runner.query(SENT_BEFORE);
    await runner.query(DRIFT);
    await runner.query('ALTER TABLE payees ADD COLUMN email_changed_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payees DROP COLUMN email_changed_at;
      DROP INDEX drift_of_payout;
      ALTER TABLE drift DROP COLUMN resolved_by, DROP COLUMN note;
      ALTER TABLE payouts DROP COLUMN attempt, DROP COLUMN open_attempts, DROP COLUMN accepted_attempt,
        DROP COLUMN code_since, DROP COLUMN destination`);
  }
}

const PAYOUTS = `
  ALTER TABLE payouts
    ADD COLUMN attempt integer NOT NULL DEFAULT 0,
    ADD COLUMN open_attempts jsonb NOT NULL DEFAULT '[]',
    ADD COLUMN accepted_attempt integer,
    ADD COLUMN code_since timestamptz,
    ADD COLUMN destination jsonb`;

/** What was sent before there were numbers counts as the first attempt. */
const SENT_BEFORE = `
  UPDATE payouts SET attempt = known.attempt, accepted_attempt = known.accepted_attempt, code_since = known.code_since,
    destination = known.destination
  FROM (
    SELECT payouts.id,
      CASE WHEN submitted_at IS NULL OR (status = 'submitted' AND to_send) THEN 0 ELSE 1 END AS attempt,
      CASE WHEN status = 'submitted' AND NOT to_send AND provider_ref IS NOT NULL THEN 1 END AS accepted_attempt,
      CASE WHEN status IN ('submitted', 'paid') THEN submitted_at END AS code_since,
      CASE WHEN authorized_on IS NOT NULL THEN
        jsonb_build_object('email', payees.email, 'name', payees.name, 'country', payees.country) END AS destination
    FROM payouts JOIN payees ON payees.id = payouts.payee_id
    WHERE submitted_at IS NOT NULL OR authorized_on IS NOT NULL
  ) AS known
  WHERE payouts.id = known.id`;

const DRIFT = `
  ALTER TABLE drift ADD COLUMN resolved_by text, ADD COLUMN note text;
  CREATE INDEX drift_of_payout ON drift (payout_id)`;
