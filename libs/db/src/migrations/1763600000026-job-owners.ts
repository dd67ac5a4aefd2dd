import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whose a job is, within its lane. What older code adds is nobody's, and has its turns like one more owner's. The old index
 * goes: with both, PostgreSQL may choose the one in which the jobs of all owners stand behind each other.
 */
export class JobOwners1763600000026 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'JobOwners1763600000026';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE jobs ADD COLUMN owner text NOT NULL DEFAULT '';
      CREATE INDEX jobs_by_owner ON jobs (name, lane, owner, run_at);
      DROP INDEX jobs_due`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX jobs_due ON jobs (name, lane, run_at);
      DROP INDEX jobs_by_owner;
      ALTER TABLE jobs DROP COLUMN owner`);
  }
}
