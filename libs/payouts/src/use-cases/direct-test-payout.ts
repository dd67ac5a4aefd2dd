/** Makes the test rail do what a test wants next; the payout then learns of it the way it learns of everything. */
import { Injectable } from '@nestjs/common';
import { IllegalTransition, nextStatus, type PayoutTrigger, Refusal } from '#libs/domain';
import type { Client } from '#libs/auth';
import { NOT_THERE } from '#libs/http-kit';
import { type OutcomeFact, takesDirection } from '#libs/rail-kit';
import { Rails } from '#libs/rail-registry';
import { PayoutReads } from '../db/payout.reads';
import type { Payout } from '../payout';
import { SendToRail } from './send-to-rail';

@Injectable()
export class DirectTestPayout {
  constructor(
    private readonly reads: PayoutReads,
    private readonly rails: Rails,
    private readonly sender: SendToRail,
  ) {}

  async run(client: Client, payoutId: string, on: PayoutTrigger, outcome: OutcomeFact): Promise<Payout> {
    const payout = client.testMode ? await this.reads.findOf(client.id, payoutId) : null;
    if (!payout) throw new Refusal('payout_not_found', NOT_THERE);
    const rail = this.rails.find(payout.provider)?.rail;
    nextStatus(payout.status, on, payout.failureKind);
    if (!rail || !takesDirection(rail)) throw new IllegalTransition(payout.status, on);
    await rail.direct(await this.sender.orderOf(payout), outcome);
    return this.sender.lookUp(payout);
  }
}
