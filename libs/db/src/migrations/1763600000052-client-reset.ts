import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A test client may be made as new: its rows go. Of what is append-only this lets rows of one client go, in test mode, which
 * the transaction names. Who compares a list of a rail with payouts sees that some of them went meanwhile.
 */
export class ClientReset1763600000052 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'ClientReset1763600000052';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `${INDEXES} ALTER TABLE rail_scans ADD COLUMN resets integer NOT NULL DEFAULT 0; ${ONLY_OF_A_RESET}`,
    );
    for (const table of TABLES)
      await runner.query(`
        DROP TRIGGER ${table}_append_only ON ${table};
        CREATE TRIGGER ${table}_append_only BEFORE TRUNCATE ON ${table}
          FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
        CREATE TRIGGER ${table}_no_delete BEFORE DELETE ON ${table}
          FOR EACH STATEMENT WHEN (coalesce(current_setting('gateway.resetting_client', true), '') = '')
          EXECUTE FUNCTION refuse_change();
        CREATE TRIGGER ${table}_only_of_a_reset BEFORE DELETE ON ${table}
          FOR EACH ROW EXECUTE FUNCTION only_of_a_reset()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES)
      await runner.query(`
        DROP TRIGGER ${table}_only_of_a_reset ON ${table};
        DROP TRIGGER ${table}_no_delete ON ${table};
        DROP TRIGGER ${table}_append_only ON ${table};
        CREATE TRIGGER ${table}_append_only BEFORE DELETE OR TRUNCATE ON ${table}
          FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`);
    await runner.query(`
      DROP FUNCTION only_of_a_reset();
      ALTER TABLE rail_scans DROP COLUMN resets;
      DROP INDEX methods_of_payee, batch_addresses_of_payee, payouts_superseded`);
  }
}

const TABLES = ['payout_trail', 'wallet_entries'];

/** PostgreSQL looks there for what refers to each row that goes. */
const INDEXES = `
  CREATE INDEX methods_of_payee ON methods (payee_id);
  CREATE INDEX batch_addresses_of_payee ON batch_addresses (payee_id);
  CREATE INDEX payouts_superseded ON payouts (superseded_by) WHERE superseded_by IS NOT NULL;`;

const ONLY_OF_A_RESET = `
  CREATE FUNCTION only_of_a_reset() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    owner uuid;
  BEGIN
    IF TG_TABLE_NAME = 'payout_trail' THEN
      owner := (SELECT client_id FROM payouts WHERE id = OLD.payout_id);
    ELSE
      owner := OLD.client_id;
    END IF;
    IF owner::text IS DISTINCT FROM current_setting('gateway.resetting_client')
      OR (SELECT test_mode FROM clients WHERE id = owner) IS NOT TRUE THEN
      RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = '42501';
    END IF;
    RETURN OLD;
  END $$`;
