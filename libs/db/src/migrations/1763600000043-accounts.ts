import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a person recognises an account by, and which accounts we asked rails to open, each under a key of its own. */
export class Accounts1763600000043 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'Accounts1763600000043';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE methods ADD COLUMN details jsonb, ADD COLUMN details_at timestamptz');
    await runner.query(`
      CREATE TABLE account_openings (
        id uuid PRIMARY KEY,
        client_id uuid NOT NULL REFERENCES clients,
        payee_id uuid NOT NULL REFERENCES payees,
        provider text NOT NULL,
        test_mode boolean NOT NULL,
        number integer NOT NULL,
        key text NOT NULL UNIQUE,
        asked jsonb NOT NULL,
        account_id text,
        refusal text,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (payee_id, provider, test_mode, number),
        CHECK (account_id IS NULL OR refusal IS NULL)
      )`);
    await runner.query(`
      CREATE UNIQUE INDEX account_openings_one ON account_openings (payee_id, provider, test_mode)
      WHERE refusal IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE account_openings');
    await runner.query('ALTER TABLE methods DROP COLUMN details, DROP COLUMN details_at');
  }
}
