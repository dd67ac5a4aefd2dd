import type { MigrationInterface, QueryRunner } from 'typeorm';
import { IN_DISPUTE, OWN_CODE, SAME_PAYEE } from './1763600000066-listed-by-any-rail';

/**
 * Rows that were refused before a backup may have left with others since, under another code: money of their payee that nobody here
 * knows of keeps them back when they are tried again too, unless their rail took them on.
 */
export class RefusedBeforeARestore1763600000067 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'RefusedBeforeARestore1763600000067';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`${IN_DISPUTE} UNION ALL ${OWN_CODE} UNION ALL ${SAME_PAYEE_NOT_TAKEN_ON}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`${IN_DISPUTE} UNION ALL ${OWN_CODE} UNION ALL ${SAME_PAYEE}`);
  }
}

const NEVER_SENT = 'payouts.submitted_at IS NULL';
const NOT_TAKEN_ON = `(${NEVER_SENT} OR payouts.status IN ('authorized', 'held', 'failed')
    OR (payouts.status = 'submitted' AND (payouts.to_send OR (payouts.accepted_attempt IS NULL AND payouts.legs = '[]'))))`;
const SAME_PAYEE_NOT_TAKEN_ON = SAME_PAYEE.replace(NEVER_SENT, NOT_TAKEN_ON);
