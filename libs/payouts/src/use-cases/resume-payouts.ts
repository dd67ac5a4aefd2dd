/** A client is active again: its payouts, which waited as they were, go on. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import { type AskedFor, type JobOutcome, LeftOff, OnJob, type PassPlace } from '#libs/jobs';
import { PayoutReads } from '../db/payout.reads';
import { PayoutJobs } from './payout-jobs';

const PORTION = 500;

@Injectable()
export class ResumePayouts {
  private readonly resuming = new LeftOff<PassPlace>();

  constructor(
    private readonly reads: PayoutReads,
    private readonly jobs: PayoutJobs,
    private readonly db: Db,
  ) {}

  /** A portion at a time, so that other clients have their turn in between. */
  @OnJob('payouts.resume')
  async resume(clientId: string, _attempts: number, job: AskedFor): Promise<JobOutcome> {
    const { begun, after } = this.resuming.of(job) ?? { begun: await this.db.moment(), after: null };
    const waiting = await this.reads.waitingToBeSent(clientId, begun, after, PORTION);
    await this.jobs.schedule(waiting);
    const last = waiting[PORTION - 1];
    this.resuming.keep(job, last ? { begun, after: last.id } : null);
    return last && { againInSeconds: 0 };
  }
}
