import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A process may count some requests of a minute before they come: `ahead` are those that may still be given back, and
 * `counted_before` is what the counter said before the statement that wrote it last.
 */
export class CountedAhead1763600000060 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'CountedAhead1763600000060';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE rate_windows ADD COLUMN ahead integer NOT NULL DEFAULT 0, ADD COLUMN counted_before integer NOT NULL DEFAULT 0`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE rate_windows DROP COLUMN ahead, DROP COLUMN counted_before');
  }
}
