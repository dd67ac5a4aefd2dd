import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A wallet begins with what waits for its payee, however many payments were made since. No other payout is in this index. */
export class WaitingForPayees1763600000059 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'WaitingForPayees1763600000059';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX payouts_waiting_for_payees ON payouts (payee_id, created_at DESC, id DESC)
       WHERE status = 'submitted' AND claim_url IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX payouts_waiting_for_payees');
  }
}
