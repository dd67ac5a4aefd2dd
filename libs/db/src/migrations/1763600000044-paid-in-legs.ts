import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Few payouts that are paid have a call to be made: those that nobody sees to are looked for without reading all that was paid. */
export class PaidInLegs1763600000044 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'PaidInLegs1763600000044';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX payouts_paid_in_legs ON payouts (updated_at) WHERE status = 'paid'
        AND (legs @> '[{"over": false, "toSend": true}]' OR legs @> '[{"over": false, "said": null}]')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX payouts_paid_in_legs');
  }
}
