import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Notices are forgotten by their time. They come in its order, so that an index of blocks will do. */
export class NoticesByTime1763600000041 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'NoticesByTime1763600000041';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX rail_notices_received ON rail_notices USING brin (received_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX rail_notices_received');
  }
}
