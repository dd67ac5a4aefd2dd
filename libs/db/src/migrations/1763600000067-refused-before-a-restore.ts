import type { MigrationInterface, QueryRunner } from 'typeorm';
import { IN_DISPUTE, OWN_CODE, SAME_PAYEE } from './1763600000066-listed-by-any-rail';

/**
 * Rows that were refused before a backup may have left with others since, under another code, and so may what its rail had taken on and
 * refused since: money of their payee that nobody here knows of keeps a first call back whenever it is made. Calls that follow it go on.
 */
export class RefusedBeforeARestore1763600000067 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'RefusedBeforeARestore1763600000067';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`${IN_DISPUTE} UNION ALL ${OWN_CODE} UNION ALL ${SAME_PAYEE_NOT_IN_LEGS}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`${IN_DISPUTE} UNION ALL ${OWN_CODE} UNION ALL ${SAME_PAYEE}`);
  }
}

const SAME_PAYEE_NOT_IN_LEGS = `
  SELECT payouts.id FROM payouts CROSS JOIN rail_scans
  JOIN drift ON drift.rail = rail_scans.rail AND drift.kind = 'unknown_here' AND drift.resolved_at IS NULL
    AND drift.rail_key BETWEEN rpad(left(payouts.rail_key, 18), 50, '0') AND rpad(left(payouts.rail_key, 18), 50, 'f')
    AND NOT EXISTS (SELECT FROM payouts AS known WHERE known.rail_key = drift.rail_key AND (known.provider = drift.rail
      OR EXISTS (SELECT FROM drift AS named WHERE named.payout_id = known.id AND named.rail = drift.rail)))
  WHERE payouts.consolidates AND (payouts.submitted_at IS NULL OR payouts.status IN ('authorized', 'held', 'failed')
    OR (payouts.status = 'submitted' AND coalesce((payouts.legs -> -1 ->> 'over')::boolean, true)))`;
