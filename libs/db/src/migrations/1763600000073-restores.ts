import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Each restore of this database, and the number that events are counted from since: above all that anybody heard of in the time that it lost
 * (restored.sql, which makes the table in a backup from before it). Older code counts on as the backup did.
 */
export class Restores1763600000073 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'Restores1763600000073';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE IF NOT EXISTS restores (
        sequence_from integer PRIMARY KEY,
        restored_at timestamptz NOT NULL DEFAULT now()
      )`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE restores');
  }
}
