import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What rails listed is kept, so that two payments under one code add up however far apart they are listed. A difference says
 * what the bank kept of money that came back.
 */
export class Movements1763600000017 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'Movements1763600000017';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(MOVEMENTS);
    await runner.query('ALTER TABLE drift ADD COLUMN lifting_fee_cents bigint');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE drift DROP COLUMN lifting_fee_cents; DROP TABLE rail_movements');
  }
}

/** `movement` tells one from another: the reference, or the time where there is none. */
const MOVEMENTS = `
  CREATE TABLE rail_movements (
    rail text NOT NULL,
    rail_key text NOT NULL,
    movement text NOT NULL,
    currency text NOT NULL,
    provider_ref text,
    amount_cents bigint NOT NULL,
    PRIMARY KEY (rail, rail_key, movement, currency)
  )`;
