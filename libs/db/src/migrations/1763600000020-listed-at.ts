import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when a rail lists a movement: what it does not tell of when asked is named after some minutes. */
export class ListedAt1763600000020 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'ListedAt1763600000020';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE rail_movements ADD COLUMN listed_at timestamptz NOT NULL DEFAULT now()');
    // Small, for movements are listed in the order of time.
    await runner.query('CREATE INDEX rail_movements_listed ON rail_movements USING brin (listed_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE rail_movements DROP COLUMN listed_at');
  }
}
