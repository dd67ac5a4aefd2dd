import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Where this database lies, written down in itself: a copy of it finds that it lies elsewhere, and so does a standby that became the primary.
 * What was committed after the copy was made, or did not reach the standby, is forgotten there. Older code does not look.
 */
export class DatabasePlace1763600000084 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'DatabasePlace1763600000084';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE database_place (
        one boolean PRIMARY KEY DEFAULT true CHECK (one),
        server text,
        timeline text,
        made_as text
      )`,
    );
    await runner.query(PLACE_NOW);
    await runner.query('INSERT INTO database_place (server, timeline, made_as) SELECT * FROM place_now()');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION place_now');
    await runner.query('DROP TABLE database_place');
  }
}

/**
 * The server by the number that it was given when it was made; its timeline, which changes with each promotion and with each recovery up to some
 * moment; and the database and the table by their numbers: a database that is copied there has another one, and so has a table that is restored from
 * a dump. What the server does not tell is null.
 */
const PLACE_NOW = `
  CREATE FUNCTION place_now(OUT server text, OUT timeline text, OUT made_as text) LANGUAGE plpgsql STABLE AS $$
  BEGIN
    made_as := (SELECT oid FROM pg_database WHERE datname = current_database()) || '.' || 'database_place'::regclass::oid;
    BEGIN
      server := (SELECT system_identifier FROM pg_control_system());
    EXCEPTION WHEN insufficient_privilege OR undefined_function OR feature_not_supported THEN NULL;
    END;
    BEGIN
      timeline := left(pg_walfile_name(pg_current_wal_insert_lsn()), 8);
    EXCEPTION WHEN insufficient_privilege OR undefined_function OR feature_not_supported OR object_not_in_prerequisite_state THEN NULL;
    END;
  END $$`;
