import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Until when a provider wants its rail left alone, whatever else closes the lane meanwhile. Older code goes by the reason alone. */
export class RestsOutliveOtherReasons1763600000072 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'RestsOutliveOtherReasons1763600000072';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE rail_lanes ADD COLUMN rests_until timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE rail_lanes DROP COLUMN rests_until');
  }
}
