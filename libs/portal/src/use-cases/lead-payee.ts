/** The click that leads a payee to where they take their money. The link is made now and handed on: it is neither kept nor mailed. */
import { Injectable } from '@nestjs/common';
import type { Payout } from '#libs/payout-rules';
import { AskRail } from '#libs/payouts';
import { PayeeLinkCaller } from '#libs/rail-registry';

@Injectable()
export class LeadPayee {
  constructor(
    private readonly rail: AskRail,
    private readonly links: PayeeLinkCaller,
  ) {}

  /** null: there is none now. */
  async run(payout: Payout): Promise<string | null> {
    const answer = await this.links.link(payout.provider ?? '', await this.rail.orderOf(payout));
    return answer.kind === 'link' ? answer.url : null;
  }
}
