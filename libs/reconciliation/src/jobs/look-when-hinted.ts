/** A rail says that there is news of a payout: it is asked about it soon, by a job. */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PayoutReads, PayoutJobs } from '#libs/payouts';
import { RailHints } from '#libs/rail-registry';

@Injectable()
export class LookWhenHinted implements OnModuleInit {
  constructor(
    private readonly hints: RailHints,
    private readonly reads: PayoutReads,
    private readonly jobs: PayoutJobs,
  ) {}

  onModuleInit(): void {
    this.hints.follow(async (provider, railKey, inSeconds) => {
      await this.jobs.lookAll(await this.reads.ofRailKeys(provider, [railKey]), inSeconds);
    });
  }
}
