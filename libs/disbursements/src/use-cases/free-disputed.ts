/** Rows that an operator found to be owed: nothing is sent any more under the code of their payout, and they may leave. */
import { Injectable } from '@nestjs/common';
import { Jobs } from '#libs/jobs';
import type { Payout } from '#libs/payout-rules';
import { ChangePayout } from '#libs/payouts';
import { Rails } from '#libs/rail-registry';

@Injectable()
export class FreeDisputed {
  constructor(
    private readonly change: ChangePayout,
    private readonly rails: Rails,
    private readonly jobs: Jobs,
  ) {}

  /** `later`: the payouts that its rows went on to. `neverSeen`: they leave although their rail cannot be asked. */
  async run({ id, payeeId, clientId, provider, railKey }: Payout, later: string[], neverSeen: boolean): Promise<void> {
    // Its rail repeats itself: what it says of the old code counts for nothing more, and nothing is sent under that code.
    await this.change.giveUp([id], 'an operator found that its money did not arrive', { neverSeen });
    await this.change.giveUp(later, `money moved under its code, as payout ${id}`, {
      which: (other) => other.railKey === railKey,
    });
    if (this.rails.traits(provider)?.releasesOwed === 'on_credit')
      await this.jobs.add([{ name: 'owed.release', entityId: payeeId, lane: clientId }]);
  }
}
