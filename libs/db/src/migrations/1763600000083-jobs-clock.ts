import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the clock of the database showed when jobs were last looked at by it: it may be set back. Older code does not look. */
export class JobsClock1763600000083 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'JobsClock1763600000083';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE jobs_clock (
        one boolean PRIMARY KEY DEFAULT true CHECK (one),
        seen_at timestamptz NOT NULL
      ) WITH (fillfactor = 50)`,
    );
    await runner.query('INSERT INTO jobs_clock (seen_at) VALUES (now())');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE jobs_clock');
  }
}
