import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A dot or a hyphen with no blank makes one word of two: of Dr.Lovelace, the name of a host. Blanks stand for them in the index. */
export class PayeeSearchByEveryWord1763600000062 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'PayeeSearchByEveryWord1763600000062';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX payees_every_word_of_name ON payees USING gin (to_tsvector('simple', ${WITH_BLANKS}));
      DROP INDEX payees_words_of_name`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX payees_words_of_name ON payees USING gin (to_tsvector('simple', coalesce(name, '')));
      DROP INDEX payees_every_word_of_name`);
  }
}

const WITH_BLANKS = String.raw`translate(coalesce(name, ''), '!"#$%&''()*+,-./:;<=>?@[\]^_{|}~' || chr(96), repeat(' ', 32))`;
