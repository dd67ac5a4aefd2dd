import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who does which piece of periodic work, and how old code may be that works here. */
export class Standing1763600000011 implements MigrationInterface {
  readonly name = 'Standing1763600000011';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(RUNNERS);
    await runner.query(CODE_FLOOR);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE runners, code_floor');
  }
}

/** A lease: whoever stopped renewing it has lost its place, whether it knows that or not. */
const RUNNERS = `
  CREATE TABLE runners (
    name text PRIMARY KEY,
    token uuid NOT NULL,
    leased_until timestamptz NOT NULL
  ) WITH (fillfactor = 50)`;

/**
 * Versions of the code, each the number of its newest migration. oldest_code is what a process must at least be of;
 * announced_code is what it will be when the migration under way is through. Code from before this table does not ask.
 */
const CODE_FLOOR = `
  CREATE TABLE code_floor (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    oldest_code bigint NOT NULL,
    announced_code bigint
  );
  INSERT INTO code_floor (oldest_code) VALUES (1763600000011)`;
