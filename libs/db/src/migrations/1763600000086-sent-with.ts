import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * With which account of its rail a payout was first sent, whoever sends it: older code too. Times do not tell, for processes go on with the account of
 * before until the other one is bound for all of them. What was sent before this has none. And how far the list of each account was compared with: one
 * that is bound again may have moved something meanwhile.
 */
export class SentWith1763600000086 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'SentWith1763600000086';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payouts ADD COLUMN sent_with text');
    await runner.query(
      `CREATE TABLE scans_of_accounts (
        rail text NOT NULL,
        account text NOT NULL,
        scanned_until timestamptz NOT NULL,
        PRIMARY KEY (rail, account)
      )`,
    );
    await runner.query(NOTE);
    await runner.query(`CREATE TRIGGER payouts_sent_with_at_first BEFORE INSERT ON payouts FOR EACH ROW
      WHEN (coalesce(NEW.code_since, NEW.submitted_at) IS NOT NULL) EXECUTE FUNCTION note_sent_with()`);
    await runner.query(`CREATE TRIGGER payouts_sent_with BEFORE UPDATE ON payouts FOR EACH ROW
      WHEN ((NEW.provider, NEW.code_since, NEW.submitted_at) IS DISTINCT FROM (OLD.provider, OLD.code_since, OLD.submitted_at))
      EXECUTE FUNCTION note_sent_with()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER payouts_sent_with_at_first ON payouts');
    await runner.query('DROP TRIGGER payouts_sent_with ON payouts');
    await runner.query('DROP FUNCTION note_sent_with()');
    await runner.query('ALTER TABLE payouts DROP COLUMN sent_with');
    await runner.query('DROP TABLE scans_of_accounts');
  }
}

/**
 * The first account stays, as long as the rail does. Rows that go out again under a code that their rail said no to just then: that was
 * the account of before, if another one is bound since.
 */
const NOTE = `
  CREATE FUNCTION note_sent_with() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    bound rail_accounts;
    before text;
  BEGIN
    IF TG_OP = 'UPDATE' AND NEW.provider IS NOT DISTINCT FROM OLD.provider
      AND coalesce(OLD.code_since, OLD.submitted_at) IS NOT NULL AND coalesce(NEW.code_since, NEW.submitted_at) IS NOT NULL THEN
      RETURN NEW;
    END IF;
    NEW.sent_with := NULL;
    IF coalesce(NEW.code_since, NEW.submitted_at) IS NOT NULL THEN
      SELECT * INTO bound FROM rail_accounts WHERE rail = NEW.provider;
      NEW.sent_with := bound.mode || ' ' || bound.account;
      IF NEW.code_since < bound.rebound_at THEN
        SELECT sent_with INTO before FROM payouts
        WHERE rail_key = NEW.rail_key AND provider = NEW.provider AND submitted_at IS NOT NULL AND id <> NEW.id
        ORDER BY id DESC LIMIT 1;
        IF FOUND THEN
          NEW.sent_with := before;
        END IF;
      END IF;
    END IF;
    RETURN NEW;
  END $$`;
