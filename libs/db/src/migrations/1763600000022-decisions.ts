import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What an operator decided covers what was known then: whether the payout counted as unpaid, and whether its money had moved
 * or was only under way there.
 */
export class Decisions1763600000022 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'Decisions1763600000022';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE drift ADD COLUMN resolved_unpaid boolean, ADD COLUMN has_moved boolean NOT NULL DEFAULT true;
      UPDATE drift SET resolved_unpaid = payouts.status NOT IN ('submitted', 'paid', 'returned') FROM payouts
      WHERE payouts.id = drift.payout_id AND drift.resolved_by IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE drift DROP COLUMN has_moved, DROP COLUMN resolved_unpaid');
  }
}
