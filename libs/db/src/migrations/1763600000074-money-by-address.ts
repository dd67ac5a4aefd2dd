import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A change of address asks whether its payee ever had money by address, however many payouts they had otherwise. No other payout is in this index. */
export class MoneyByAddress1763600000074 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'MoneyByAddress1763600000074';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX payouts_by_address ON payouts (payee_id) WHERE custody <> 'custodial'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX payouts_by_address');
  }
}
