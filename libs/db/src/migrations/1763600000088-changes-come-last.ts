import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whether a link, an open wallet or a payout is of who its payee is now goes by dates, and the database's clock may be set back between two of them. So
 * a change of who they are is dated after all that is there of them, and a link that is made later after the change.
 */
export class ChangesComeLast1763600000088 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'ChangesComeLast1763600000088';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(DATE_CHANGE);
    await runner.query(`CREATE TRIGGER payees_change_last BEFORE UPDATE ON payees FOR EACH ROW
      WHEN ((NEW.email, NEW.name, NEW.country) IS DISTINCT FROM (OLD.email, OLD.name, OLD.country))
      EXECUTE FUNCTION date_change_of_payee()`);
    await runner.query(DATE_LINK);
    await runner.query(`CREATE TRIGGER page_links_after_changes BEFORE INSERT ON page_links FOR EACH ROW
      EXECUTE FUNCTION date_link_after_changes()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER page_links_after_changes ON page_links');
    await runner.query('DROP FUNCTION date_link_after_changes()');
    await runner.query('DROP TRIGGER payees_change_last ON payees');
    await runner.query('DROP FUNCTION date_change_of_payee()');
  }
}

/** Not by a test that lets time pass: it moves all dates together, and changes nothing of the payee. Processes compare by the millisecond. */
const DATE_CHANGE = `
  CREATE FUNCTION date_change_of_payee() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    after_all timestamptz := interval '1 millisecond' + greatest(
      (SELECT max(created_at) FROM page_links WHERE payee_id = NEW.id),
      (SELECT max(link_made_at) FROM portal_sessions WHERE payee_id = NEW.id),
      (SELECT max(greatest(created_at, updated_at, claimed_at)) FROM payouts
        WHERE payee_id = NEW.id AND status IN ('held', 'authorized', 'submitted')));
  BEGIN
    IF NEW.email_changed_at IS DISTINCT FROM OLD.email_changed_at AND NEW.email_changed_at < after_all THEN
      NEW.email_changed_at := after_all;
    END IF;
    IF NEW.identity_changed_at IS DISTINCT FROM OLD.identity_changed_at AND NEW.identity_changed_at < after_all THEN
      NEW.identity_changed_at := after_all;
    END IF;
    RETURN NEW;
  END $$`;

const DATE_LINK = `
  CREATE FUNCTION date_link_after_changes() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.created_at := greatest(NEW.created_at, (
      SELECT greatest(email_changed_at, identity_changed_at) + interval '1 millisecond' FROM payees WHERE id = NEW.payee_id));
    RETURN NEW;
  END $$`;
