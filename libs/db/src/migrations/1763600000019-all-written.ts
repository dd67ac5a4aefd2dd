import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A write whose commit leaves right behind it says for itself whether it changed all that it was to change. */
export class AllWritten1763600000019 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'AllWritten1763600000019';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION all_written(written bigint, wanted integer, complaint text) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        IF written <> wanted THEN RAISE EXCEPTION '% (% of %)', complaint, written, wanted; END IF;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION all_written(bigint, integer, text)');
  }
}
