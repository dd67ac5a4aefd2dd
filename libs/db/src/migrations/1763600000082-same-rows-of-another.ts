import type { MigrationInterface, QueryRunner } from 'typeorm';
import { DIFFERENCES, OUT_UNDER_ITS_CODE, SAME_PAYEE_NOT_IN_LEGS } from './1763600000071-what-came-back-is-not-out';

/**
 * A row that names its payee by address may have another payee once a database is restored: the address is given away, or its payee is
 * registered sooner than the row is pushed again. Money that nobody here knows of, under a code of the same rows, keeps them too. Older code
 * makes no such codes, and finds nothing by them.
 */
export class SameRowsOfAnother1763600000082 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'SameRowsOfAnother1763600000082';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX drift_by_rows ON drift (substr(rail_key, 19, 28))');
    await runner.query(`${BEFORE} UNION ALL ${SAME_PAYEE} UNION ALL ${SAME_ROWS}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`${BEFORE} UNION ALL ${SAME_PAYEE_NOT_IN_LEGS}`);
    await runner.query('DROP INDEX drift_by_rows');
  }
}

const BEFORE = `${DIFFERENCES} UNION ALL ${OUT_UNDER_ITS_CODE}`;

/** Looked up by themselves: before statistics are known, an index of what is open may be planned to be gone through whole. */
const unknown = (lines: string): string => `
  SELECT payouts.id FROM payouts ${lines} AS drift ON drift.kind = 'unknown_here'
    AND NOT EXISTS (SELECT FROM payouts AS known WHERE known.rail_key = drift.rail_key AND (known.provider = drift.rail
      OR EXISTS (SELECT FROM drift AS named WHERE named.payout_id = known.id AND named.rail = drift.rail)))
  WHERE payouts.consolidates AND (payouts.submitted_at IS NULL OR payouts.status IN ('authorized', 'held', 'failed')
    OR (payouts.status = 'submitted' AND coalesce((payouts.legs -> -1 ->> 'over')::boolean, true)))`;

export const SAME_PAYEE = unknown(`CROSS JOIN rail_scans
  JOIN LATERAL (SELECT * FROM drift WHERE drift.rail = rail_scans.rail AND drift.resolved_at IS NULL
    AND drift.rail_key BETWEEN rpad(left(payouts.rail_key, 18), 50, '0') AND rpad(left(payouts.rail_key, 18), 50, 'f') OFFSET 0)`);
export const SAME_ROWS = unknown(`
  JOIN LATERAL (SELECT * FROM drift WHERE drift.resolved_at IS NULL
    AND substr(drift.rail_key, 19, 28) = substr(payouts.rail_key, 19, 28) OFFSET 0)`);
