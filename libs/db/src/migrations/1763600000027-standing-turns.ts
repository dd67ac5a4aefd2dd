import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When an account's rail is asked about it next, and since when it stands as it does: what stays not payable is asked about
 * less often. Accounts from before are all due at once, and have their turns.
 */
export class StandingTurns1763600000027 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'StandingTurns1763600000027';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE methods ADD COLUMN ask_at timestamptz NOT NULL DEFAULT now(),
        ADD COLUMN standing_since timestamptz NOT NULL DEFAULT now();
      CREATE INDEX methods_to_ask ON methods (provider, test_mode, payable, client_id, ask_at) WHERE status = 'active'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX methods_to_ask;
      ALTER TABLE methods DROP COLUMN ask_at, DROP COLUMN standing_since`);
  }
}
