import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How payees are spoken to: in which language, and in whose name. */
export class Brands1763600000048 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'Brands1763600000048';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payees ADD COLUMN locale text');
    await runner.query("ALTER TABLE clients ADD COLUMN locale text, ADD COLUMN brand jsonb NOT NULL DEFAULT '{}'");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payees DROP COLUMN locale');
    await runner.query('ALTER TABLE clients DROP COLUMN locale, DROP COLUMN brand');
  }
}
