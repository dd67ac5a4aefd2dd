/**
 * Asks the rails about every payout that is submitted by now. Those made meanwhile have jobs of their own: a rail may be asked more slowly
 * than they come. The schedule of each payout's own job goes on beside it.
 */
import { Injectable } from '@nestjs/common';
import { apart, Db, onBehalf } from '#libs/db';
import type { Payout } from '#libs/payout-rules';
import { AskRail, PayoutReads } from '#libs/payouts';
import { SubmittedReads } from '../db/submitted.reads';

const PAGE = 200;
const AT_ONCE = 8;

@Injectable()
export class ReconcilePayouts {
  constructor(
    private readonly submitted: SubmittedReads,
    private readonly reads: PayoutReads,
    private readonly asking: AskRail,
    private readonly db: Db,
  ) {}

  async run(signal?: AbortSignal): Promise<{ asked: number; resolved: number }> {
    const sum = { asked: 0, resolved: 0 };
    const begun = await this.db.moment();
    for (let after: string | null = null; ;) {
      const ids = await this.submitted.page(begun, after, PAGE);
      const last = ids[ids.length - 1];
      if (!last || signal?.aborted) return sum;
      const waiting = (await this.reads.findAll(ids)).values();
      await Promise.all(Array.from({ length: AT_ONCE }, () => this.askEach(waiting, sum, signal)));
      after = last;
    }
  }

  private async askEach(
    waiting: IterableIterator<Payout>,
    sum: { asked: number; resolved: number },
    signal?: AbortSignal,
  ): Promise<void> {
    for (const payout of waiting) {
      if (signal?.aborted) return;
      const { id, clientId } = payout;
      const after = await apart({ event: 'payout.not_reconciled', payoutId: id }, () =>
        onBehalf(clientId, () => this.asking.lookUp(payout)),
      );
      sum.asked += 1;
      if (after && after.status !== 'submitted') sum.resolved += 1;
    }
  }
}
