import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is written to payees. A mail is queued with what it is about, and sent once that is committed. */
export class Mails1763600000007 implements MigrationInterface {
  readonly name = 'Mails1763600000007';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE mails (
        id uuid PRIMARY KEY,
        client_id uuid NOT NULL REFERENCES clients,
        kind text NOT NULL,
        cause text NOT NULL,
        to_address text NOT NULL,
        subject text NOT NULL,
        body_text text NOT NULL,
        body_html text NOT NULL,
        status text NOT NULL CHECK (status IN ('queued', 'sent', 'kept', 'failed')),
        last_error text,
        created_at timestamptz NOT NULL DEFAULT now(),
        ended_at timestamptz,
        UNIQUE (kind, cause)
      );
      CREATE INDEX mails_newest ON mails (created_at DESC, id DESC)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE mails');
  }
}
