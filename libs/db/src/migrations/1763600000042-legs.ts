import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The calls of a payout after its first one. Beside its attempts in the row: whoever holds the row reads them as they are. */
export class Legs1763600000042 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'Legs1763600000042';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE payouts ADD COLUMN legs jsonb NOT NULL DEFAULT '[]'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payouts DROP COLUMN legs');
  }
}
