import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which test clients wait for the one turn of those with many rows, since when, and when they looked for it last. Older code neither writes nor
 * reads it: it takes the turn whenever it finds it free.
 */
export class LongTurns1763600000081 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'LongTurns1763600000081';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE long_turns (
        client_id uuid PRIMARY KEY,
        asked_at timestamptz NOT NULL DEFAULT now(),
        looked_at timestamptz NOT NULL DEFAULT now()
      )`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE long_turns');
  }
}
