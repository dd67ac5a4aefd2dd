import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A database that was restored may pay a payee over another rail than before: money under a payout's own code holds it, whichever
 * rail lists that. A rail says since when its list is waited for, until it was compared with again.
 */
export class ListedByAnyRail1763600000066 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'ListedByAnyRail1763600000066';

  async up(runner: QueryRunner): Promise<void> {
    // `npm run restore` adds it to an earlier backup.
    await runner.query('ALTER TABLE rail_scans ADD COLUMN IF NOT EXISTS restored_at timestamptz');
    await runner.query(`${IN_DISPUTE} UNION ALL ${OWN_CODE} UNION ALL ${SAME_PAYEE}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`${IN_DISPUTE} UNION ALL ${SAME_PAYEE_AS_IT_WAS}`);
    await runner.query('ALTER TABLE rail_scans DROP COLUMN restored_at');
  }
}

/** As it was. */
export const IN_DISPUTE = `
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

const SAME_PAYEE_AS_IT_WAS = `
  SELECT payouts.id FROM payouts CROSS JOIN rail_scans
  JOIN drift ON drift.rail = rail_scans.rail AND drift.kind = 'unknown_here' AND drift.resolved_at IS NULL
    AND drift.rail_key BETWEEN rpad(left(payouts.rail_key, 18), 50, '0') AND rpad(left(payouts.rail_key, 18), 50, 'f')
    AND NOT EXISTS (SELECT FROM payouts AS known WHERE known.rail_key = drift.rail_key)
  WHERE payouts.consolidates AND payouts.submitted_at IS NULL`;

/**
 * What was sent is listed by its own rail, as it should be: another one's money under its code is a difference, until somebody
 * looked. What never was sent is listed by none. Rail by rail, as the indexes are.
 */
export const OWN_CODE = `
  SELECT payouts.id FROM payouts CROSS JOIN rail_scans
  JOIN drift ON drift.rail = rail_scans.rail AND drift.rail_key = payouts.rail_key AND drift.resolved_at IS NULL
  UNION ALL
  SELECT payouts.id FROM payouts CROSS JOIN rail_scans
  JOIN rail_movements AS moved ON moved.rail = rail_scans.rail AND moved.rail_key = payouts.rail_key
  WHERE payouts.submitted_at IS NULL`;

/** A payout of that code accounts for the money if that rail is its own, or if it was named for it when it was given up. */
export const SAME_PAYEE = `
  SELECT payouts.id FROM payouts CROSS JOIN rail_scans
  JOIN drift ON drift.rail = rail_scans.rail AND drift.kind = 'unknown_here' AND drift.resolved_at IS NULL
    AND drift.rail_key BETWEEN rpad(left(payouts.rail_key, 18), 50, '0') AND rpad(left(payouts.rail_key, 18), 50, 'f')
    AND NOT EXISTS (SELECT FROM payouts AS known WHERE known.rail_key = drift.rail_key AND (known.provider = drift.rail
      OR EXISTS (SELECT FROM drift AS named WHERE named.payout_id = known.id AND named.rail = drift.rail)))
  WHERE payouts.consolidates AND payouts.submitted_at IS NULL`;
