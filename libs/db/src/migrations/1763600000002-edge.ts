import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the guard chain remembers: signatures that were used, and how many requests a client made this minute. */
export class Edge1763600000002 implements MigrationInterface {
  readonly name = 'Edge1763600000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE used_signatures (
        client_id uuid NOT NULL,
        fingerprint bytea NOT NULL,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (client_id, fingerprint)
      );
      CREATE INDEX used_signatures_expiry ON used_signatures (expires_at);

      -- Unlogged: a crash of Postgres forgets at most the running minute.
      CREATE UNLOGGED TABLE rate_windows (
        client_id uuid NOT NULL,
        minute bigint NOT NULL,
        requests integer NOT NULL,
        PRIMARY KEY (client_id, minute)
      ) WITH (fillfactor = 50)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE rate_windows, used_signatures');
  }
}
