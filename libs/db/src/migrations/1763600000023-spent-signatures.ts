import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Looks when it is called, and not when the statement began that calls it: somebody may have been waited for meanwhile. */
export class SpentSignatures1763600000023 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'SpentSignatures1763600000023';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION is_spent(whose uuid, print bytea) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
      BEGIN
        RETURN EXISTS (SELECT FROM used_signatures WHERE client_id = whose AND fingerprint = print);
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION is_spent(uuid, bytea)');
  }
}
