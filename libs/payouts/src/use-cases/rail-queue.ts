/** Sees to it that a payout under way is looked at: at once where a worker submits it, in a while where this request does. */
import { Injectable } from '@nestjs/common';
import { type Clock, reasonCodeOf } from '#libs/domain';
import { InjectClock } from '#libs/auth';
import { Jobs } from '#libs/jobs';
import { Rails } from '#libs/rail-registry';
import type { Payout } from '../payout';
import { isSentByRequest } from '../sent-by-request';

/** By then the request that sends it is over, or its process is gone. */
const AFTER_A_CRASH_SECONDS = 5;
const FIRST_QUESTION_SECONDS = 2;
const SEND_AGAIN_SECONDS = 1;
const STALE_SECONDS = 60;
/** Whoever reads a stale payout within these seconds shares one question to its rail. */
const SHARED_QUESTION_SECONDS = 3;
const RETRY_SECONDS = { least: 60, most: 6 * 3600 };

/** The only failures that the service itself retries. */
export function lacksRailFunds({ status, failureKind, statusReason }: Payout): boolean {
  return status === 'failed' && failureKind === 'transient' && reasonCodeOf(statusReason) === 'rail_out_of_funds';
}

function secondsToRetry({ submittedAt }: Payout, now: Date): number {
  const waited = submittedAt ? Math.floor((now.getTime() - submittedAt.getTime()) / 1000) : 0;
  return Math.min(Math.max(waited, RETRY_SECONDS.least), RETRY_SECONDS.most);
}

@Injectable()
export class RailQueue {
  constructor(
    private readonly jobs: Jobs,
    private readonly rails: Rails,
    @InjectClock() private readonly clock: Clock,
  ) {}

  /** After a change: payouts under way get their job, those that came to rest need none. */
  async follow(payouts: Payout[], sentBy: 'request' | 'worker' = 'request'): Promise<void> {
    const underWay = payouts.filter(({ status }) => status === 'authorized' || status === 'submitted');
    const atRest = payouts.filter((payout) => payout.sequence > 1 && !underWay.includes(payout));
    await this.jobs.add(
      underWay.map((payout) => ({
        name: 'payout.drive',
        entityId: payout.id,
        lane: payout.provider ?? '',
        delaySeconds: this.delayOf(payout, sentBy),
      })),
    );
    await this.retryLater(payouts.filter(lacksRailFunds));
    if (atRest.length > 0)
      await this.jobs.remove(
        'payout.drive',
        atRest.map(({ id }) => id),
      );
  }

  /** The rail has news about this payout; a job of its own, for the payout may come to rest before it is done. */
  look({ id, provider }: Pick<Payout, 'id' | 'provider'>, delaySeconds = 0): Promise<void> {
    return this.jobs.add([{ name: 'payout.look', entityId: id, lane: provider ?? '', delaySeconds }]);
  }

  /** Somebody wants to know, and the last news are old: the rail is asked soon, and later readers know. */
  async lookIfStale(payout: Payout): Promise<void> {
    const age = this.clock.now().getTime() - payout.updatedAt.getTime();
    if (payout.status === 'submitted' && age > STALE_SECONDS * 1000) await this.look(payout, SHARED_QUESTION_SECONDS);
  }

  /** What a custody-free rail had no funds for is tried again, after as long as it has been waiting already. */
  private async retryLater(payouts: Payout[]): Promise<void> {
    await this.jobs.add(
      payouts.map((payout) => ({
        name: 'payout.retry',
        entityId: payout.id,
        lane: payout.provider ?? '',
        delaySeconds: secondsToRetry(payout, this.clock.now()),
      })),
    );
  }

  private delayOf(payout: Payout, sentBy: 'request' | 'worker'): number {
    const { status, toSend, provider } = payout;
    if (status === 'authorized' || (toSend && sentBy === 'worker')) return 0;
    if (!toSend) return FIRST_QUESTION_SECONDS;
    return isSentByRequest(payout, this.rails.traits(provider)) ? AFTER_A_CRASH_SECONDS : SEND_AGAIN_SECONDS;
  }
}
