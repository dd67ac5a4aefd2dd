/** The click that leads a payee to where they take their money. The link is made now and handed on: it is neither kept nor mailed. */
import { Injectable } from '@nestjs/common';
import { PayeeReads } from '#libs/payees';
import { AskRail } from '#libs/payouts';
import { PayeeLinkCaller } from '#libs/rail-registry';
import type { ClaimVisit } from './visit-claim';
import { isSamePerson } from './visit-portal';

@Injectable()
export class LeadPayee {
  constructor(
    private readonly payees: PayeeReads,
    private readonly rail: AskRail,
    private readonly links: PayeeLinkCaller,
  ) {}

  /** null: there is none now, or not for them. */
  async run(visit: ClaimVisit): Promise<string | null> {
    if (!(await this.mayTake(visit))) return null;
    const { payout } = visit;
    const answer = await this.links.link(payout.provider ?? '', await this.rail.orderOf(payout));
    // Once more, for the rail may have taken its time as well: who is somebody else by now is not handed their money.
    return answer.kind === 'link' && (await this.mayTake(visit)) ? answer.url : null;
  }

  /** Asked after their check, which may have taken its time. What was handed over already is theirs. */
  private async mayTake({ payout, payee }: ClaimVisit): Promise<boolean> {
    const now = await this.payees.find(payout.clientId, payee.id);
    return now !== null && isSamePerson(payee, now) && (!now.blocked || payout.status === 'paid');
  }
}
