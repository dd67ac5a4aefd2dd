import type { MigrationInterface, QueryRunner } from 'typeorm';

/** To which rails nothing is sent for now, whose turn it is at those that count calls, and whose credentials each has. */
export class RailLanes1763600000037 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'RailLanes1763600000037';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE rail_lanes (
        rail text PRIMARY KEY,
        reason text NOT NULL CHECK (reason IN ('not_now', 'credentials', 'other_account')),
        detail text NOT NULL,
        closed_at timestamptz NOT NULL,
        opens_at timestamptz
      )`);
    await runner.query('CREATE TABLE rail_turns (rail text PRIMARY KEY, next_at timestamptz NOT NULL)');
    await runner.query(`
      CREATE TABLE rail_accounts (
        rail text PRIMARY KEY,
        account text NOT NULL,
        mode text NOT NULL CHECK (mode IN ('live', 'sandbox')),
        bound_at timestamptz NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE rail_lanes, rail_turns, rail_accounts');
  }
}
