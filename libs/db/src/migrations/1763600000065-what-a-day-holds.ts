import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A payee's balance keeps what of its newest day counts against the cap of the day. It was the sum of that day's payouts, and to read
 * them all for each new one took the longer the more there were. Breaks older code, which would authorize and not count.
 */
export class WhatADayHolds1763600000065 implements MigrationInterface {
  readonly name = 'WhatADayHolds1763600000065';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE balances ADD COLUMN day date, ADD COLUMN day_cents bigint NOT NULL DEFAULT 0');
    await runner.query(
      `UPDATE balances SET day = used.day, day_cents = used.cents FROM (
         SELECT payee_id, currency, authorized_on AS day, sum(amount_cents) AS cents FROM payouts
         WHERE authorized_on = (now() AT TIME ZONE 'utc')::date
           AND status IN ('authorized', 'submitted', 'paid', 'returned')
         GROUP BY payee_id, currency, authorized_on
       ) AS used WHERE balances.payee_id = used.payee_id AND balances.currency = used.currency`,
    );
    await runner.query('DROP INDEX payouts_of_a_day');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX payouts_of_a_day ON payouts (payee_id, currency, authorized_on) WHERE authorized_on IS NOT NULL',
    );
    await runner.query('ALTER TABLE balances DROP COLUMN day, DROP COLUMN day_cents');
  }
}
