import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which mails somebody asked for who had a link, and may be anybody: limits count these alone. Older code counts them with their like. */
export class MailsAskedForByLinks1763600000069 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'MailsAskedForByLinks1763600000069';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE mails ADD COLUMN by_link boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE mails DROP COLUMN by_link');
  }
}
