import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a rail says it took for a payout, for operators. */
export class RailFees1763600000040 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'RailFees1763600000040';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payouts
        ADD COLUMN rail_fee_cents bigint CHECK (rail_fee_cents >= 0),
        ADD COLUMN rail_fee_currency text,
        ADD CONSTRAINT rail_fee_is_money CHECK ((rail_fee_cents IS NULL) = (rail_fee_currency IS NULL))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE payouts DROP CONSTRAINT rail_fee_is_money, DROP COLUMN rail_fee_cents, DROP COLUMN rail_fee_currency',
    );
  }
}
