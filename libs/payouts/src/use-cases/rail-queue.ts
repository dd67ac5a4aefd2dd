/** Sees to it that a payout under way is looked at: at once where a worker submits it, in a while where this request does. */
import { Injectable } from '@nestjs/common';
import { Jobs } from '#libs/jobs';
import type { Payout } from '../payout';

/** By then the request that submits it is over, or its process is gone. */
const AFTER_A_CRASH_SECONDS = 5;

@Injectable()
export class RailQueue {
  constructor(private readonly jobs: Jobs) {}

  async add(payouts: Payout[]): Promise<void> {
    const underWay = payouts.filter(({ status }) => status === 'authorized' || status === 'submitted');
    await this.jobs.add(
      underWay.map(({ id, provider, status }) => ({
        name: 'payout.drive',
        entityId: id,
        lane: provider ?? '',
        delaySeconds: status === 'authorized' ? 0 : AFTER_A_CRASH_SECONDS,
      })),
    );
  }

  /** The rail has news about this payout. */
  look(payout: Pick<Payout, 'id' | 'provider'>): Promise<void> {
    return this.jobs.add([{ name: 'payout.drive', entityId: payout.id, lane: payout.provider ?? '' }]);
  }

  async done(payout: Payout): Promise<void> {
    await this.jobs.remove('payout.drive', [payout.id]);
  }
}
