/** Tries again what a custody-free rail had no funds for: the only failure that the service itself retries. */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import { ClientRegistry } from '#libs/auth';
import { type JobOutcome, OnJob } from '#libs/jobs';
import { PayoutReads } from '../db/payout.reads';
import { lacksRailFunds } from '../use-cases/rail-queue';
import { RemedyPayout } from '../use-cases/remedy-payout';

const WHILE_SUSPENDED_SECONDS = 3600;
const AFTER_A_REFUSAL_SECONDS = 300;

@Injectable()
export class RetryPayoutJob {
  constructor(
    private readonly reads: PayoutReads,
    private readonly clients: ClientRegistry,
    private readonly remedies: RemedyPayout,
  ) {}

  @OnJob('payout.retry')
  async retry(payoutId: string): Promise<JobOutcome> {
    const payout = await this.reads.find(payoutId);
    if (!payout || payout.supersededBy || !lacksRailFunds(payout)) return;
    const known = await this.clients.byId(payout.clientId);
    if (known?.client.status !== 'active') return { againInSeconds: WHILE_SUSPENDED_SECONDS };
    try {
      await this.remedies.retry(payout, 'system');
    } catch (error) {
      // Its rail cannot be asked now, or it went on by itself: then there is nothing to do the next time.
      if (!(error instanceof Refusal)) throw error;
      return { againInSeconds: AFTER_A_REFUSAL_SECONDS };
    }
  }
}
