/** A client is active again: its payouts, which waited as they were, go on. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import { type JobOutcome, OnJob, type TakenJob } from '#libs/jobs';
import { PayoutReads } from '../db/payout.reads';
import { PayoutJobs } from './payout-jobs';

const PAGE = 500;

@Injectable()
export class ResumePayouts {
  constructor(
    private readonly reads: PayoutReads,
    private readonly jobs: PayoutJobs,
    private readonly db: Db,
  ) {}

  @OnJob('payouts.resume')
  async resume(clientId: string, _attempts: number, { signal }: Pick<TakenJob, 'signal'>): Promise<JobOutcome> {
    const begun = await this.db.moment();
    for (let after: string | null = null; ;) {
      const waiting = await this.reads.waitingToBeSent(clientId, begun, after, PAGE);
      const last = waiting[waiting.length - 1];
      if (!last) return;
      if (signal.aborted) return { againInSeconds: 0 };
      await this.jobs.schedule(waiting);
      after = last.id;
    }
  }
}
