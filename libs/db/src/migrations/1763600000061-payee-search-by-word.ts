import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whoever is at the phone says their surname: any word of a name finds its payee. */
export class PayeeSearchByWord1763600000061 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'PayeeSearchByWord1763600000061';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX payees_words_of_name ON payees USING gin (to_tsvector('simple', coalesce(name, '')))`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX payees_words_of_name');
  }
}
