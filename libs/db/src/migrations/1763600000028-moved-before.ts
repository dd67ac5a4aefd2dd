import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A payout that was never sent, and under whose code money moved, waits: as its rail lists it, and whatever an operator said
 * of that. A restored database knows nothing of the payout that it moved for.
 */
export class MovedBefore1763600000028 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'MovedBefore1763600000028';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`${IN_DISPUTE} UNION ALL ${MOVED_BEFORE}`);
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
  WHERE mine.submitted_at IS NULL`;

const MOVED_BEFORE = `
  SELECT payouts.id FROM payouts
  JOIN rail_movements AS moved ON moved.rail = payouts.provider AND moved.rail_key = payouts.rail_key
  WHERE payouts.submitted_at IS NULL`;
