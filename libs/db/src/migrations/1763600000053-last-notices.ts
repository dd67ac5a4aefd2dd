import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a rail's provider called last is read for each rail, however many notices are kept. */
export class LastNotices1763600000053 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'LastNotices1763600000053';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX rail_notices_last ON rail_notices (rail, received_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX rail_notices_last');
  }
}
