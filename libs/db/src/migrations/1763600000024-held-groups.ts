import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What waits for a floor is summed by payee, rail and currency, and what waits for another day is looked through oldest first
 * for what fits: neither reads what the same payee has in other currencies.
 */
export class HeldGroups1763600000024 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'HeldGroups1763600000024';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX payouts_below_floor ON payouts (payee_id, provider, currency, amount_cents)
        WHERE status = 'held' AND split_part(status_reason, ':', 1) = 'below_min_payout';
      CREATE INDEX payouts_over_the_day ON payouts (payee_id, currency, created_at, id, amount_cents)
        WHERE status = 'held' AND split_part(status_reason, ':', 1) = 'cap_exceeded_daily'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX payouts_over_the_day, payouts_below_floor');
  }
}
