import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Few payouts wait for funds of their rail: those that nobody tries again are looked for without reading all that failed. */
export class Nets1763600000016 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'Nets1763600000016';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX payouts_unfunded ON payouts (updated_at) WHERE status = 'failed' AND failure_kind = 'transient'
        AND split_part(status_reason, ':', 1) = 'rail_out_of_funds' AND superseded_by IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX payouts_unfunded');
  }
}
