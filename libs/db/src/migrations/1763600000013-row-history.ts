import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A row remembers every payout it was on, and not only the last: money may turn out to have moved for any of them. What an
 * operator decides about a difference holds until the payout is sent again. An account's standing is as old as the question.
 */
export class RowHistory1763600000013 implements MigrationInterface {
  readonly name = 'RowHistory1763600000013';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE disbursements ADD COLUMN earlier uuid[] NOT NULL DEFAULT '{}'`);
    await runner.query(HISTORY);
    await runner.query(ROWS_BEFORE);
    await runner.query('ALTER TABLE payouts ADD COLUMN cleared_at timestamptz');
    await runner.query('ALTER TABLE methods ADD COLUMN asked_at timestamptz');
    await runner.query('ALTER TABLE drift ADD COLUMN resolved_attempt integer');
    await runner.query(`
      UPDATE drift SET resolved_attempt = payouts.attempt FROM payouts
      WHERE payouts.id = payout_id AND resolved_by IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE drift DROP COLUMN resolved_attempt;
      ALTER TABLE methods DROP COLUMN asked_at;
      ALTER TABLE payouts DROP COLUMN cleared_at;
      DROP VIEW payouts_of_rows_before;
      ALTER TABLE disbursements DROP COLUMN earlier`);
  }
}

/** For payouts: which others their rows were on before. */
const ROWS_BEFORE = `
  CREATE VIEW payouts_of_rows_before AS
  SELECT transaction_id AS payout_id, before.payout_id AS before_id
  FROM disbursements CROSS JOIN LATERAL unnest(earlier) AS before (payout_id)`;

/** Which rows went from one payout to the next was not kept: all that the later one took count as having been on it. */
const HISTORY = `
  WITH RECURSIVE went_on AS (
    SELECT superseded_by AS holder, id FROM payouts WHERE superseded_by IS NOT NULL
    UNION
    SELECT went_on.holder, payouts.id FROM went_on JOIN payouts ON payouts.superseded_by = went_on.id
  ), known AS (
    SELECT holder, array_agg(id) AS ids FROM went_on GROUP BY holder
  )
  UPDATE disbursements SET earlier = known.ids FROM known WHERE transaction_id = known.holder`;
