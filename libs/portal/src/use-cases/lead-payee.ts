/** The click that leads a payee to where they take their money. The link is made now and handed on: it is neither kept nor mailed. */
import { Injectable } from '@nestjs/common';
import { LockPayees, PayeeReads } from '#libs/payees';
import { AskRail } from '#libs/payouts';
import { PayeeLinkCaller } from '#libs/rail-registry';
import { PageChecks } from './page-checks';
import type { ClaimVisit } from './visit-claim';
import { mayBeLed } from './visit-portal';

@Injectable()
export class LeadPayee {
  constructor(
    private readonly payees: PayeeReads,
    private readonly locks: LockPayees,
    private readonly rail: AskRail,
    private readonly links: PayeeLinkCaller,
    private readonly checks: PageChecks,
  ) {}

  /**
   * null: there is none now, or not for them, or so many were asked for already. What is on hold has none, though it was handed over
   * before: only that the link may have gone out is known, and not that it arrived, and another one would give it to them now.
   */
  async run(visit: ClaimVisit): Promise<string | null> {
    const { payout, payee } = visit;
    // Asked after their check, which may have taken its time.
    if (!mayBeLed(payee, await this.payees.find(payout.clientId, payee.id))) return null;
    if ((await this.checks.isOnHold(visit)) || !this.checks.takesTurn(visit)) return null;
    const [railName, order] = [payout.provider ?? '', await this.rail.orderOf(payout)];
    const answer = await this.links.link(railName, order);
    if (answer.kind !== 'link') return null;
    // Once more, and held, because the rail may have taken its time as well: whoever blocks or changes them comes before it is noted, or after.
    const url = await this.locks.with([payee.id], async (payees) => {
      if (!mayBeLed(payee, payees.get(payee.id))) return null;
      // They are checked with their next click.
      if (await this.checks.isWantedSince(visit)) return null;
      if ((await this.checks.hasEndedSince(visit)) || (await this.checks.isOnHold(visit))) return null;
      // Nothing is asked any more after this: what is withheld was not handed over, and what may have gone out was.
      return (await this.links.handedOver(railName, order, answer)) ? answer.url : null;
    });
    // Nobody waits for that. Once it is paid a click is no news, and a payee may click as often as they like.
    if (url !== null && payout.status !== 'paid') void this.links.tell(railName, order);
    return url;
  }
}
