/** Sees to it that a payout under way is looked at: at once where a worker submits it, in a while where this request does. */
import { Injectable } from '@nestjs/common';
import { Jobs } from '#libs/jobs';
import { Rails } from '#libs/rail-registry';
import type { Payout } from '../payout';

/** By then the request that sends it is over, or its process is gone. */
const AFTER_A_CRASH_SECONDS = 5;
const FIRST_QUESTION_SECONDS = 2;
const SEND_AGAIN_SECONDS = 1;

@Injectable()
export class RailQueue {
  constructor(
    private readonly jobs: Jobs,
    private readonly rails: Rails,
  ) {}

  /** After a change: payouts under way get their job, those that came to rest need none. */
  async follow(payouts: Payout[]): Promise<void> {
    const underWay = payouts.filter(({ status }) => status === 'authorized' || status === 'submitted');
    const atRest = payouts.filter((payout) => payout.sequence > 1 && !underWay.includes(payout));
    await this.jobs.add(
      underWay.map((payout) => ({
        name: 'payout.drive',
        entityId: payout.id,
        lane: payout.provider ?? '',
        delaySeconds: this.delayOf(payout),
      })),
    );
    if (atRest.length > 0)
      await this.jobs.remove(
        'payout.drive',
        atRest.map(({ id }) => id),
      );
  }

  /** The rail has news about this payout; a job of its own, for the payout may come to rest before it is done. */
  look(payout: Pick<Payout, 'id' | 'provider'>): Promise<void> {
    return this.jobs.add([{ name: 'payout.look', entityId: payout.id, lane: payout.provider ?? '' }]);
  }

  private delayOf({ status, toSend, provider }: Payout): number {
    if (status === 'authorized') return 0;
    if (!toSend) return FIRST_QUESTION_SECONDS;
    return this.rails.traits(provider)?.settles === 'at_once' ? AFTER_A_CRASH_SECONDS : SEND_AGAIN_SECONDS;
  }
}
