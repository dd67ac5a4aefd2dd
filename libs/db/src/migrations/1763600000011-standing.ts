import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who does which piece of periodic work. */
export class Standing1763600000011 implements MigrationInterface {
  readonly name = 'Standing1763600000011';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(RUNNERS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE runners');
  }
}

/** A lease: whoever stopped renewing it has lost its place, whether it knows that or not. */
const RUNNERS = `
  CREATE TABLE runners (
    name text PRIMARY KEY,
    token uuid NOT NULL,
    leased_until timestamptz NOT NULL
  ) WITH (fillfactor = 50)`;
