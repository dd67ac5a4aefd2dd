import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The account that a rail was bound to when another one was first bound, and since when: what was sent since then with a `sent_with` of none was
 * sent with that, because all that is sent with a later one is noted. Whichever version binds notes it. And whether the list of an account that a rail
 * was bound to before is waited for since a restore.
 */
export class FirstAccount1763600000087 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'FirstAccount1763600000087';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE rail_accounts ADD COLUMN first_with text, ADD COLUMN first_since timestamptz');
    await runner.query(
      `CREATE FUNCTION note_first_account() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.first_with := OLD.mode || ' ' || OLD.account;
        NEW.first_since := coalesce(OLD.rebound_at, '-infinity');
        RETURN NEW;
      END $$`,
    );
    await runner.query(
      `CREATE TRIGGER rail_accounts_first BEFORE UPDATE ON rail_accounts FOR EACH ROW
      WHEN (OLD.first_with IS NULL AND (NEW.account, NEW.mode) IS DISTINCT FROM (OLD.account, OLD.mode))
      EXECUTE FUNCTION note_first_account()`,
    );
    await runner.query('ALTER TABLE scans_of_accounts ADD COLUMN IF NOT EXISTS restored_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER rail_accounts_first ON rail_accounts');
    await runner.query('DROP FUNCTION note_first_account()');
    await runner.query('ALTER TABLE rail_accounts DROP COLUMN first_with, DROP COLUMN first_since');
    await runner.query('ALTER TABLE scans_of_accounts DROP COLUMN restored_at');
  }
}
