import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What its rail settled takes a call that the rail asks for later; what an operator called paid does not (`mayTakeLegs`). Of these the version before
 * kept the send that their rail had taken on, as if the rail had settled it. Operators decide about few, and each decision closed a difference.
 */
export class CalledPaid1763600000074 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'CalledPaid1763600000074';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `UPDATE payouts SET accepted_attempt = NULL
       WHERE status = 'paid' AND accepted_attempt IS NOT NULL
         AND id IN (SELECT payout_id FROM drift WHERE resolved_by IS NOT NULL)
         AND 'operator' = (SELECT actor FROM payout_trail WHERE payout_id = payouts.id AND type = 'settle' ORDER BY sequence DESC LIMIT 1)`,
    );
  }

  async down(): Promise<void> {
    // An older version does not look at it once a payout is paid.
  }
}
