import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many mails go to one address and come from one client: a mail is counted when it is let go, in its own row. */
export class MailLimits1763600000012 implements MigrationInterface {
  readonly name = 'MailLimits1763600000012';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE mails
        ADD COLUMN mailbox text,
        ADD COLUMN allowed_at timestamptz,
        DROP CONSTRAINT mails_status_check,
        ADD CONSTRAINT mails_status_check CHECK (status IN ('queued', 'sent', 'kept', 'failed', 'limited'))`);
    await runner.query(`
      UPDATE mails SET allowed_at = created_at, mailbox = regexp_replace(lower(to_address), '[+][^@]*@', '@')
      WHERE status IN ('sent', 'kept') AND created_at > now() - interval '1 day'`);
    await runner.query('CREATE INDEX mails_of_mailbox ON mails (mailbox, allowed_at) WHERE allowed_at IS NOT NULL');
    await runner.query('CREATE INDEX mails_of_client ON mails (client_id, created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX mails_of_mailbox, mails_of_client;
      UPDATE mails SET status = 'failed' WHERE status = 'limited';
      ALTER TABLE mails DROP COLUMN mailbox, DROP COLUMN allowed_at, DROP CONSTRAINT mails_status_check,
        ADD CONSTRAINT mails_status_check CHECK (status IN ('queued', 'sent', 'kept', 'failed'))`);
  }
}
