import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whether a client wants its payees checked before money that waits for them goes on. Older code beside this one does not ask for
 * it: until that is stopped, nobody should set it. And which links into a wallet were asked for by a link: these have a limit of
 * their own, so that who found one keeps nobody from theirs.
 */
export class ChecksPayees1763600000056 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'ChecksPayees1763600000056';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE clients ADD COLUMN checks_payees boolean NOT NULL DEFAULT false;
      ALTER TABLE page_links ADD COLUMN by_link boolean NOT NULL DEFAULT false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE clients DROP COLUMN checks_payees;
      ALTER TABLE page_links DROP COLUMN by_link`);
  }
}
