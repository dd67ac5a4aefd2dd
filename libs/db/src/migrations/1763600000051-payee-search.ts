import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Operators look payees up by what somebody at the phone can say: an address, a name, an id of the caller's, or how one begins. */
export class PayeeSearch1763600000051 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'PayeeSearch1763600000051';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX payees_newest_of_all ON payees (created_at DESC, id DESC);
      CREATE INDEX payees_email_begins ON payees (email text_pattern_ops);
      CREATE INDEX payees_name_begins ON payees (lower(name) text_pattern_ops);
      CREATE INDEX payees_external_id_begins ON payees (lower(external_id) text_pattern_ops)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP INDEX payees_newest_of_all, payees_email_begins, payees_name_begins, payees_external_id_begins',
    );
  }
}
