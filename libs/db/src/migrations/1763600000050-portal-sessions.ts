import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Browsers in which payees opened their wallets. A link to one is used up by its use, and leads back nowhere. A link that goes
 * out by mail is sealed in its row until it was sent.
 */
export class PortalSessions1763600000050 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'PortalSessions1763600000050';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE page_links ALTER COLUMN return_url DROP NOT NULL, ADD COLUMN used_at timestamptz;
      ALTER TABLE mails ADD COLUMN sealed_link text;
      ALTER TABLE payees ADD COLUMN identity_changed_at timestamptz;
      CREATE TABLE portal_sessions (
        id uuid PRIMARY KEY,
        digest bytea NOT NULL UNIQUE,
        client_id uuid NOT NULL REFERENCES clients,
        payee_id uuid NOT NULL REFERENCES payees,
        link_made_at timestamptz NOT NULL,
        fresh_until timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX portal_sessions_of_payee ON portal_sessions (payee_id);
      CREATE INDEX portal_sessions_expired ON portal_sessions (expires_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE portal_sessions;
      ALTER TABLE mails DROP COLUMN sealed_link;
      ALTER TABLE payees DROP COLUMN identity_changed_at;
      DELETE FROM page_links WHERE return_url IS NULL;
      ALTER TABLE page_links DROP COLUMN used_at, ALTER COLUMN return_url SET NOT NULL`);
  }
}
