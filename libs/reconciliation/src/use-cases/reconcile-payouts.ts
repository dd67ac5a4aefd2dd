/** Asks the rails about every payout that is submitted, now. The schedule of each payout's own job goes on beside it. */
import { Injectable } from '@nestjs/common';
import { apart } from '#libs/db';
import { AskRail, PayoutReads } from '#libs/payouts';

const AT_ONCE = 8;

@Injectable()
export class ReconcilePayouts {
  constructor(
    private readonly reads: PayoutReads,
    private readonly asking: AskRail,
  ) {}

  async run(): Promise<{ asked: number; resolved: number }> {
    const sum = { asked: 0, resolved: 0 };
    for (let after: string | null = null; ;) {
      const payouts = await this.reads.submitted(after, 200);
      const last = payouts[payouts.length - 1];
      if (!last) return sum;
      const waiting = payouts.values();
      await Promise.all(Array.from({ length: AT_ONCE }, () => this.askEach(waiting, sum)));
      after = last.id;
    }
  }

  private async askEach(
    waiting: IterableIterator<Parameters<AskRail['lookUp']>[0]>,
    sum: { asked: number; resolved: number },
  ): Promise<void> {
    for (const payout of waiting) {
      const { id } = payout;
      const after = await apart({ event: 'payout.not_reconciled', payoutId: id }, () => this.asking.lookUp(payout));
      sum.asked += 1;
      if (after && after.status !== 'submitted') sum.resolved += 1;
    }
  }
}
