import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A test client may let time pass: then its rows are as old as if it had. Of what is append-only this moves the time of each
 * row by the seconds that the transaction names, of a test client, and changes nothing else.
 */
export class TestClock1763600000039 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'TestClock1763600000039';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ONLY_TIME_MOVES);
    for (const table of TABLES)
      await runner.query(`
        DROP TRIGGER ${table}_append_only ON ${table};
        CREATE TRIGGER ${table}_append_only BEFORE DELETE OR TRUNCATE ON ${table}
          FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
        CREATE TRIGGER ${table}_no_change BEFORE UPDATE ON ${table}
          FOR EACH STATEMENT WHEN (coalesce(current_setting('gateway.seconds_passed', true), '') = '')
          EXECUTE FUNCTION refuse_change();
        CREATE TRIGGER ${table}_only_time_moves BEFORE UPDATE ON ${table}
          FOR EACH ROW EXECUTE FUNCTION only_time_moves()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES)
      await runner.query(`
        DROP TRIGGER ${table}_only_time_moves ON ${table};
        DROP TRIGGER ${table}_no_change ON ${table};
        DROP TRIGGER ${table}_append_only ON ${table};
        CREATE TRIGGER ${table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ${table}
          FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`);
    await runner.query('DROP FUNCTION only_time_moves()');
  }
}

const TABLES = ['payout_trail', 'wallet_entries'];

const ONLY_TIME_MOVES = `
  CREATE FUNCTION only_time_moves() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    moved record := OLD;
    of_a_test boolean;
  BEGIN
    moved.created_at := OLD.created_at - current_setting('gateway.seconds_passed')::bigint * interval '1 second';
    IF TG_TABLE_NAME = 'payout_trail' THEN
      of_a_test := (SELECT test_mode FROM payouts WHERE id = OLD.payout_id);
    ELSE
      of_a_test := (SELECT test_mode FROM clients WHERE id = OLD.client_id);
    END IF;
    IF NEW IS DISTINCT FROM moved OR of_a_test IS NOT TRUE THEN
      RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = '42501';
    END IF;
    RETURN NEW;
  END $$`;
