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

const NEVER_SENT = 'payouts.submitted_at IS NULL';
const NOT_IN_LEGS = `(${NEVER_SENT} OR payouts.status IN ('authorized', 'held', 'failed')
    OR (payouts.status = 'submitted' AND coalesce((payouts.legs -> -1 ->> 'over')::boolean, true)))`;
const SAME_PAYEE_NOT_IN_LEGS = SAME_PAYEE.replace(NEVER_SENT, NOT_IN_LEGS);
