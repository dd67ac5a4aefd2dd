import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex } from '../build-index';

/** A client's mails are counted with their like alone, and warnings without an end are beside them: counting reads through none of the others. */
export class MailsCountedByKind1763600000075 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'MailsCountedByKind1763600000075';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'mails_that_count_by_kind',
      `mails (client_id, kind, by_link, created_at) WHERE status <> 'limited'`,
    );
    await dropIndex(runner, 'mails_that_count');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX mails_that_count ON mails (client_id, created_at) WHERE status <> 'limited'`);
    await runner.query('DROP INDEX mails_that_count_by_kind');
  }
}
