import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from '../build-index';

/**
 * What schedules and operators look at again and again is read in its order, and no further than the look goes, however much one client or
 * operator has of it: payouts that wait for funds, a day or a difference, mails that wait to be sent, and the deeds of one operator.
 */
export class LookedAtInOrder1763600000077 implements MigrationInterface {
  static readonly besideOlderCode = true;
  readonly name = 'LookedAtInOrder1763600000077';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'payouts_short_of_funds',
      `payouts (short_of, client_id, created_at, id, amount_cents, currency, provider)
       WHERE status = 'held' AND split_part(status_reason, ':', 1) = 'insufficient_funds'`,
    );
    await buildIndex(runner, 'payouts_held_over_the_day', `payouts (client_id, id) WHERE ${OVER_THE_DAY}`);
    await buildIndex(runner, 'payouts_held_in_dispute', `payouts (client_id, id) WHERE ${IN_DISPUTE}`);
    await buildIndex(runner, 'mails_queued', `mails (id) WHERE status = 'queued'`);
    await buildIndex(runner, 'audit_log_by_actor', 'audit_log (actor, created_at DESC, id DESC)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP INDEX audit_log_by_actor, mails_queued, payouts_held_in_dispute, payouts_held_over_the_day, payouts_short_of_funds',
    );
  }
}

const OVER_THE_DAY = `status = 'held' AND split_part(status_reason, ':', 1) = 'cap_exceeded_daily'`;

/** As `HELD_IN_DISPUTE` of the rules has it. */
const IN_DISPUTE = `status = 'held' AND superseded_by IS NULL AND status_reason = 'route_blocked: a rail says that it moved money for it, \
or for an earlier payout of its rows; the operator has to look'`;
