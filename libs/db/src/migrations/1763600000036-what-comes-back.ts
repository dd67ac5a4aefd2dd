import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Rails list what came back beside what they moved; and what was paid is asked about from time to time, for as long as its
 * money can come back. How far each of these looks came stands in `rail_watches`.
 */
export class WhatComesBack1763600000036 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'WhatComesBack1763600000036';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE rail_movements ADD COLUMN direction text NOT NULL DEFAULT 'out' CHECK (direction IN ('out', 'back'))`);
    await runner.query(`
      CREATE TABLE rail_watches (
        rail text NOT NULL,
        after_seconds integer NOT NULL,
        watched_until timestamptz NOT NULL,
        last_id uuid,
        PRIMARY KEY (rail, after_seconds)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE rail_watches; ALTER TABLE rail_movements DROP COLUMN direction');
  }
}
