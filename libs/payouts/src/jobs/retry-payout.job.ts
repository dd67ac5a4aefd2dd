/**
 * Tries again the only failure that the service itself retries, a custody-free rail's lack of funds, and payouts that were held after
 * they were sent, for a cause that has passed. The rail is asked first.
 */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import { type Client, ClientRegistry } from '#libs/clients';
import { DatabaseClock } from '#libs/db';
import { type Job, type JobOutcome, OnJob } from '#libs/jobs';
import { goesOnByItself, lacksRailFunds, type Payout, secondsToRetry, waitsForFloor } from '#libs/payout-rules';
import { PayoutReads } from '../db/payout.reads';
import { RemedyPayout } from '../use-cases/remedy-payout';

const WHILE_SECONDS = { suspended: 300, closed: 3600 };
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
  async retry(payoutId: string, _attempts: number, { createdAt }: Pick<Job, 'createdAt'>): Promise<JobOutcome> {
    const payout = await this.reads.find(payoutId);
    const client = payout && (await this.clients.stored(payout.clientId));
    if (payout && goesOnByItself(payout, client?.autoRelease)) return this.goOn(payout, client, createdAt);
    const after = payout && (lacksRailFunds(payout) ? await this.tried(payout, client) : payout);
    if (!after || 'againInSeconds' in after) return after ?? undefined;
    // The next refusal may come while this job is still held, and then nobody else sees to it.
    return isUnderWay(after) || lacksRailFunds(after)
      ? { againInSeconds: secondsToRetry(after, this.clock.now()) }
      : undefined;
  }

  private async goOn(payout: Payout, client: Client | null, askedAt: Date): Promise<JobOutcome> {
    // If this was asked for before it was held for its floor, nobody has found since that its group reached it.
    if (waitsForFloor(payout) && payout.updatedAt > askedAt) return undefined;
    const after = await this.tried(payout, client);
    // If its rail could not tell, it is asked again in a while: meanwhile the schedule passes over it.
    return 'againInSeconds' in after ? after : undefined;
  }

  private async tried(payout: Payout, client: Client | null): Promise<Payout | { againInSeconds: number }> {
    if (client?.status !== 'active') return { againInSeconds: WHILE_SECONDS[client?.status ?? 'closed'] };
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
