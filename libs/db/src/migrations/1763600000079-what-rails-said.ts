import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What its rail said last of the money that a difference is about, and whether that is another thing than when somebody decided about it. Older
 * code writes neither: its differences count as they are described, until their rail is heard again.
 */
export class WhatRailsSaid1763600000079 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'WhatRailsSaid1763600000079';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE drift ADD COLUMN said text, ADD COLUMN overtaken boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE drift DROP COLUMN overtaken, DROP COLUMN said');
  }
}
