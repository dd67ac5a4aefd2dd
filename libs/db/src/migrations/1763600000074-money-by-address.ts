import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from '../build-index';

/** A change of address asks whether its payee ever had money by address, however many payouts they had otherwise. No other payout is in this index. */
export class MoneyByAddress1763600000074 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'MoneyByAddress1763600000074';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, 'payouts_by_address', `payouts (payee_id) WHERE custody <> 'custodial'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX payouts_by_address');
  }
}
