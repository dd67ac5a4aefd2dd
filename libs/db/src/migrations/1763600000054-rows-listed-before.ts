import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Owed rows that were never sent wait while a rail lists money for rows of the same payee that nobody here knows of: in a
 * restored database they may be the same rows, with others beside them, and so under another code. All codes of one payee's rows
 * begin with the same 18 characters.
 */
export class RowsListedBefore1763600000054 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'RowsListedBefore1763600000054';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`${IN_DISPUTE} UNION ALL ${LISTED_BEFORE}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(IN_DISPUTE);
  }
}

/** As it was. */
const IN_DISPUTE = `
  CREATE OR REPLACE VIEW payouts_in_dispute AS
  SELECT payout_id FROM drift WHERE resolved_at IS NULL
  UNION ALL
  SELECT payouts.id FROM payouts
  JOIN drift ON drift.rail = payouts.provider AND drift.rail_key = payouts.rail_key AND drift.resolved_at IS NULL
  UNION ALL
  SELECT rows.payout_id FROM payouts_of_rows_before AS rows
  JOIN drift ON drift.payout_id = rows.before_id AND drift.resolved_at IS NULL
  UNION ALL
  SELECT mine.id FROM payouts AS mine
  JOIN payouts AS other ON other.rail_key = mine.rail_key AND other.id <> mine.id
  JOIN drift ON drift.payout_id = other.id AND drift.resolved_by IS NOT NULL
  WHERE mine.submitted_at IS NULL
  UNION ALL
  SELECT payouts.id FROM payouts
  JOIN rail_movements AS moved ON moved.rail = payouts.provider AND moved.rail_key = payouts.rail_key
  WHERE payouts.submitted_at IS NULL`;

/** By whichever rail: its payee may be paid over another one by now. Rail by rail, as the index is. */
const LISTED_BEFORE = `
  SELECT payouts.id FROM payouts CROSS JOIN rail_scans
  JOIN drift ON drift.rail = rail_scans.rail AND drift.kind = 'unknown_here' AND drift.resolved_at IS NULL
    AND drift.rail_key BETWEEN rpad(left(payouts.rail_key, 18), 50, '0') AND rpad(left(payouts.rail_key, 18), 50, 'f')
    AND NOT EXISTS (SELECT FROM payouts AS known WHERE known.rail_key = drift.rail_key)
  WHERE payouts.consolidates AND payouts.submitted_at IS NULL`;
