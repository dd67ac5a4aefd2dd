import type { MigrationInterface, QueryRunner } from 'typeorm';
import { DIFFERENCES, OUT_UNDER_ITS_CODE, SAME_PAYEE_NOT_IN_LEGS } from './1763600000071-what-came-back-is-not-out';

/** What an operator decided about spends a code, unless its rail's last word is that nothing moved: what leaves under it once more is in no dispute. */
export class RefusedSince1763600000089 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'RefusedSince1763600000089';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `${DIFFERENCES} AND drift.said IS DISTINCT FROM 'no' UNION ALL ${OUT_UNDER_ITS_CODE} UNION ALL ${SAME_PAYEE_NOT_IN_LEGS}`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`${DIFFERENCES} UNION ALL ${OUT_UNDER_ITS_CODE} UNION ALL ${SAME_PAYEE_NOT_IN_LEGS}`);
  }
}
