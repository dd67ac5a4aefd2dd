/** The click that leads a payee to where they take their money. The link is made now and handed on: it is neither kept nor mailed. */
import { Injectable } from '@nestjs/common';
import { PayeeReads } from '#libs/payees';
import { AskRail } from '#libs/payouts';
import { PayeeLinkCaller } from '#libs/rail-registry';
import { PageQuestions } from './page-questions';
import type { ClaimVisit } from './visit-claim';
import { isSamePerson } from './visit-portal';

@Injectable()
export class LeadPayee {
  constructor(
    private readonly payees: PayeeReads,
    private readonly rail: AskRail,
    private readonly links: PayeeLinkCaller,
    private readonly questions: PageQuestions,
  ) {}

  /** null: there is none now, or not for them, or so many were asked for already. */
  async run(visit: ClaimVisit): Promise<string | null> {
    if (!(await this.mayTake(visit))) return null;
    const { payout, client } = visit;
    if (!this.questions.take(client, 'moving')) return null;
    const [railName, order] = [payout.provider ?? '', await this.rail.orderOf(payout)];
    const answer = await this.links.link(railName, order);
    // Once more, for the rail may have taken its time as well: who is somebody else by now is not handed their money.
    if (answer.kind !== 'link' || !(await this.mayTake(visit))) return null;
    // Nothing is asked any more after this: what is withheld was not handed over, and what may have gone out was.
    return (await this.links.handedOver(railName, order, answer)) ? answer.url : null;
  }

  /**
   * Asked after their check, which may have taken its time. Also of what was handed over before: that it may have gone out is noted, and
   * not that it arrived, and another link would give it to them now.
   */
  private async mayTake({ payout, payee }: ClaimVisit): Promise<boolean> {
    const now = await this.payees.find(payout.clientId, payee.id);
    return now !== null && isSamePerson(payee, now) && !now.blocked;
  }
}
