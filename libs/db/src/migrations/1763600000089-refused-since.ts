import type { MigrationInterface, QueryRunner } from 'typeorm';
import { DIFFERENCES, OUT_UNDER_ITS_CODE } from './1763600000071-what-came-back-is-not-out';
import { SAME_PAYEE, SAME_ROWS } from './1763600000082-same-rows-of-another';

/** What an operator decided about spends a code, unless its rail's last word is that nothing moved: what leaves under it once more is in no dispute. */
export class RefusedSince1763600000089 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'RefusedSince1763600000089';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`${DIFFERENCES} AND drift.said IS DISTINCT FROM 'no' ${AS_BEFORE}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`${DIFFERENCES} ${AS_BEFORE}`);
  }
}

const AS_BEFORE = `UNION ALL ${OUT_UNDER_ITS_CODE} UNION ALL ${SAME_PAYEE} UNION ALL ${SAME_ROWS}`;
