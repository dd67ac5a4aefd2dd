/**
 * Tries again the only failure that the service itself retries, a custody-free rail's lack of funds, and payouts that were held after
 * they were sent, for a cause that has passed. The rail is asked first.
 */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import { ClientRegistry } from '#libs/clients';
import { DatabaseClock } from '#libs/db';
import { type JobOutcome, OnJob } from '#libs/jobs';
import { goesOnByItself, lacksRailFunds, type Payout } from '#libs/payout-rules';
import { PayoutReads } from '../db/payout.reads';
import { secondsToRetry } from '../use-cases/payout-jobs';
import { RemedyPayout } from '../use-cases/remedy-payout';

const WHILE_SUSPENDED_SECONDS = 3600;
const AFTER_A_REFUSAL_SECONDS = 300;

@Injectable()
export class RetryPayoutJob {
  constructor(
    private readonly reads: PayoutReads,
    private readonly clients: ClientRegistry,
    private readonly remedies: RemedyPayout,
    private readonly clock: DatabaseClock,
  ) {}

  @OnJob('payout.retry')
  async retry(payoutId: string): Promise<JobOutcome> {
    const payout = await this.reads.find(payoutId);
    const known = payout && (await this.clients.byId(payout.clientId));
    if (payout && goesOnByItself(payout, known?.client.autoRelease)) {
      // Should it stay as it is, the schedule that found it finds it again.
      await this.tried(payout);
      return undefined;
    }
    const after = payout && (lacksRailFunds(payout) ? await this.tried(payout) : payout);
    if (!after || 'againInSeconds' in after) return after ?? undefined;
    // The next refusal may come while this job is still held, and then nobody else sees to it.
    return isUnderWay(after) || lacksRailFunds(after)
      ? { againInSeconds: secondsToRetry(after, this.clock.now()) }
      : undefined;
  }

  private async tried(payout: Payout): Promise<Payout | { againInSeconds: number }> {
    const known = await this.clients.byId(payout.clientId);
    if (known?.client.status !== 'active') return { againInSeconds: WHILE_SUSPENDED_SECONDS };
    try {
      if (payout.status === 'held') return await this.remedies.release(payout, 'system');
      return await this.remedies.retry(payout, 'system');
    } catch (error) {
      // Its rail cannot be asked now, or it went on by itself: then there is nothing to do the next time.
      if (!(error instanceof Refusal)) throw error;
      return { againInSeconds: AFTER_A_REFUSAL_SECONDS };
    }
  }
}

const isUnderWay = ({ status }: Payout): boolean => status === 'authorized' || status === 'submitted';
