import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A client that is over its limit leaves a thousand limited mails with each push: counting the others reads through none of them. */
export class MailsThatCount1763600000032 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'MailsThatCount1763600000032';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX mails_that_count ON mails (client_id, created_at) WHERE status <> 'limited';
      DROP INDEX mails_of_client`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX mails_of_client ON mails (client_id, created_at);
      DROP INDEX mails_that_count`);
  }
}
