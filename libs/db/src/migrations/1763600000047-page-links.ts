import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Links to pages of payees. Of a link's token only the digest is kept: whoever reads the table opens no page. */
export class PageLinks1763600000047 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'PageLinks1763600000047';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE page_links (
        id uuid PRIMARY KEY,
        digest bytea NOT NULL UNIQUE,
        kind text NOT NULL,
        client_id uuid NOT NULL REFERENCES clients,
        payee_id uuid NOT NULL REFERENCES payees,
        return_url text NOT NULL,
        frame_origin text,
        expires_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query('CREATE INDEX page_links_of_payee ON page_links (payee_id, created_at)');
    await runner.query('CREATE INDEX page_links_expired ON page_links (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE page_links');
  }
}
