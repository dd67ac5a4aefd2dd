/** Somebody wants a payout looked at now, and not when its turn comes: a rail is asked, and nothing else is done to it. */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import { isUnderWay, type Payout } from '#libs/payout-rules';
import { PayoutJobs } from '#libs/payouts';

const NEVER_SENT = 'It was never sent to a rail, so there is nothing to look at. What holds it is in its statusReason.';

@Injectable()
export class LookAtPayout {
  constructor(private readonly jobs: PayoutJobs) {}

  async run(payout: Payout): Promise<void> {
    if (isUnderWay(payout)) return this.jobs.driveNow(payout);
    if (payout.attempt === 0) throw new Refusal('illegal_transition', NEVER_SENT);
    await this.jobs.look(payout);
  }
}
