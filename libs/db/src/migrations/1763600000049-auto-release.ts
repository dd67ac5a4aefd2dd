import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What of a client's payouts goes on by itself once nothing is against it, and which mails its payees get beside those they need. */
export class AutoRelease1763600000049 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'AutoRelease1763600000049';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE clients ADD COLUMN auto_release text[] NOT NULL DEFAULT '{}', ADD COLUMN mails jsonb NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE clients DROP COLUMN auto_release, DROP COLUMN mails');
  }
}
