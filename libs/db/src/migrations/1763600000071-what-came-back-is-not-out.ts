import type { MigrationInterface, QueryRunner } from 'typeorm';
import { IN_DISPUTE, OWN_CODE } from './1763600000066-listed-by-any-rail';

/**
 * A transfer that was pulled back is listed twice: that it went out, and that it came back. Its rows may leave again under their code, as
 * far as their payout was sent from this database over that rail. If it was not, the list may be late with what left once more.
 */
export class WhatCameBackIsNotOut1763600000071 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'WhatCameBackIsNotOut1763600000071';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`${DIFFERENCES} UNION ALL ${OUT_UNDER_ITS_CODE} UNION ALL ${SAME_PAYEE_NOT_IN_LEGS}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`${IN_DISPUTE} UNION ALL ${OWN_CODE} UNION ALL ${SAME_PAYEE_NOT_IN_LEGS}`);
  }
}

/** As it was, but for what is listed. */
export const DIFFERENCES = `
  CREATE OR REPLACE VIEW payouts_in_dispute AS
  SELECT payout_id FROM drift WHERE resolved_at IS NULL
  UNION ALL
  SELECT payouts.id FROM payouts
  JOIN drift ON drift.rail = payouts.provider AND drift.rail_key = payouts.rail_key AND drift.resolved_at IS NULL
  UNION ALL
  SELECT payouts.id FROM payouts CROSS JOIN rail_scans
  JOIN drift ON drift.rail = rail_scans.rail AND drift.rail_key = payouts.rail_key AND drift.resolved_at IS NULL
  UNION ALL
  SELECT rows.payout_id FROM payouts_of_rows_before AS rows
  JOIN drift ON drift.payout_id = rows.before_id AND drift.resolved_at IS NULL
  UNION ALL
  SELECT mine.id FROM payouts AS mine
  JOIN payouts AS other ON other.rail_key = mine.rail_key AND other.id <> mine.id
  JOIN drift ON drift.payout_id = other.id AND drift.resolved_by IS NOT NULL
  WHERE mine.submitted_at IS NULL`;

/** Looked up by itself for each payout and rail, as the index is: what has a limit or groups is planned as no hash of all there is. */
const outBy = (rail: string): string => `
  CROSS JOIN LATERAL (
    SELECT FROM rail_movements AS moved WHERE moved.rail = ${rail} AND moved.rail_key = payouts.rail_key GROUP BY currency
    HAVING sum(CASE direction WHEN 'out' THEN amount_cents ELSE -amount_cents END) > 0 OR (
      SELECT true FROM payouts AS sent
      WHERE sent.rail_key = payouts.rail_key AND sent.provider = ${rail} AND sent.submitted_at IS NOT NULL LIMIT 1) IS NULL
  ) AS is_out
  WHERE payouts.submitted_at IS NULL`;

export const OUT_UNDER_ITS_CODE = `
  SELECT payouts.id FROM payouts ${outBy('payouts.provider')}
  UNION ALL
  SELECT payouts.id FROM payouts CROSS JOIN rail_scans ${outBy('rail_scans.rail')}`;

/** As it was. */
export const SAME_PAYEE_NOT_IN_LEGS = `
  SELECT payouts.id FROM payouts CROSS JOIN rail_scans
  JOIN drift ON drift.rail = rail_scans.rail AND drift.kind = 'unknown_here' AND drift.resolved_at IS NULL
    AND drift.rail_key BETWEEN rpad(left(payouts.rail_key, 18), 50, '0') AND rpad(left(payouts.rail_key, 18), 50, 'f')
    AND NOT EXISTS (SELECT FROM payouts AS known WHERE known.rail_key = drift.rail_key AND (known.provider = drift.rail
      OR EXISTS (SELECT FROM drift AS named WHERE named.payout_id = known.id AND named.rail = drift.rail)))
  WHERE payouts.consolidates AND (payouts.submitted_at IS NULL OR payouts.status IN ('authorized', 'held', 'failed')
    OR (payouts.status = 'submitted' AND coalesce((payouts.legs -> -1 ->> 'over')::boolean, true)))`;
