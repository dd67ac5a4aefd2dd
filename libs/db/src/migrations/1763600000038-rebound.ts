import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when a rail is bound to another account than before: what was sent until then, that account knows nothing of. */
export class Rebound1763600000038 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'Rebound1763600000038';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE rail_accounts ADD COLUMN rebound_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE rail_accounts DROP COLUMN rebound_at');
  }
}
