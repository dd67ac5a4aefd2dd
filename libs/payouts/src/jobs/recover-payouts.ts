/**
 * A net under the jobs: a payout under way whose job is gone, for whatever reason, gets one again, and so does a payout that its rail had
 * no funds for.
 */
import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { SingleRunner } from '#libs/db';
import { AtStart } from '#libs/jobs';
import { log } from '#libs/telemetry';
import { PayoutReads } from '../db/payout.reads';
import { PayoutJobs } from '../use-cases/payout-jobs';

@Injectable()
export class RecoverPayouts {
  constructor(
    private readonly reads: PayoutReads,
    private readonly jobs: PayoutJobs,
    private readonly runner: SingleRunner,
  ) {}

  @Interval(30_000)
  @AtStart()
  async run(): Promise<void> {
    await this.runner
      .run('recover-payouts', () => this.recover())
      .catch((error: Error) => log.warn({ event: 'payouts.not_recovered', error: error.message }, 'tried again soon'));
  }

  async recover(): Promise<number> {
    const forgotten = await this.reads.forgotten();
    await this.jobs.schedule(forgotten);
    const unfunded = await this.reads.neverTriedAgain();
    await this.jobs.retryLater(unfunded);
    const count = forgotten.length + unfunded.length;
    if (count > 0) log.warn({ event: 'payouts.recovered', count }, 'payouts had no job');
    return count;
  }
}
