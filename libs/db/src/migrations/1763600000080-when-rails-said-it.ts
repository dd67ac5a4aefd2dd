import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When its rail was asked for what it said last of the money that a difference is about: an older word, written later, is not the last one. Older code
 * writes words without it, which count as older than any that has one. What was found before anybody wrote words down is not filled in: what it was
 * found as says it, and what was found later, as long as processes of before may still write either.
 */
export class WhenRailsSaidIt1763600000080 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'WhenRailsSaidIt1763600000080';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE drift ADD COLUMN said_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE drift DROP COLUMN said_at');
  }
}
