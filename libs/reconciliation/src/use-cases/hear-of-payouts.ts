/** Somebody named payouts by their codes: their rail is asked about them soon, by jobs. Nothing comes of codes that nobody knows. */
import { Injectable } from '@nestjs/common';
import { PayoutJobs, PayoutReads } from '#libs/payouts';

@Injectable()
export class HearOfPayouts {
  constructor(
    private readonly reads: PayoutReads,
    private readonly jobs: PayoutJobs,
  ) {}

  /** All at once, and so in one order: notices overlap, and each names payouts in an order of its own. */
  async named(provider: string, railKeys: string[], inSeconds: number): Promise<void> {
    await this.jobs.lookAll(await this.reads.ofRailKeys(provider, [...new Set(railKeys)]), inSeconds);
  }
}
