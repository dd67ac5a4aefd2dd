/**
 * Mails a payee about a payment for which they have something to do, with the link to its page. Of the two mails that are not in the
 * contract a client can switch off each.
 */
import { Injectable } from '@nestjs/common';
import { noticeOf } from '#libs/domain';
import { ClaimLinks } from '#libs/claim-links';
import { DatabaseClock } from '#libs/db';
import { MailOutbox, type NewMail } from '#libs/mail';
import { concernsPayee, isAskedAgain, nameOfAsking, waitsForPayee } from '#libs/payout-rules';
import { PayoutReads } from '#libs/payouts';
import { letterAbout } from '../letters/about-payout';
import { noticeAbout } from '../notice-about';
import { type ClaimVisit, VisitClaim } from './visit-claim';

@Injectable()
export class MailAboutPayout {
  constructor(
    private readonly payouts: PayoutReads,
    private readonly visits: VisitClaim,
    private readonly links: ClaimLinks,
    private readonly mails: MailOutbox,
    private readonly clock: DatabaseClock,
  ) {}

  async run(payoutId: string): Promise<void> {
    const payout = await this.payouts.find(payoutId);
    const visit = payout && concernsPayee(payout) ? await this.visits.run(payout) : null;
    const to = visit && readerOf(visit);
    const mail = visit && to ? await this.mailOf(visit, to) : null;
    if (!mail) return;
    await this.payouts.ifStillThere(payoutId, async () => {
      await this.mails.queue([mail]);
    });
  }

  private async mailOf(visit: ClaimVisit, to: string): Promise<NewMail | null> {
    const { payout, payee, client } = visit;
    const { id, clientId } = payout;
    if (waitsForPayee(payout)) {
      // Somebody who lets it go on by hand tells its payee themselves, but does not know the addresses that payees give.
      const isToldByHand = !isAskedAgain(payout) && (await this.payouts.wentOnByHand(id));
      const link = isToldByHand ? null : this.links.shown(payout.claimUrl, id);
      return link === null ? null : mailOfWaiting(visit, { to, link });
    }
    const link = this.links.linkTo(id);
    if (payout.status === 'returned') {
      if (client.mails.payoutReturned === false) return null;
      return { ...letterAbout('returned', visit), clientId, kind: 'payout_returned', cause: id, to, link };
    }
    const about = client.mails.payoutNeedsYou === false ? null : aboutSetUp(visit);
    if (about === null) return null;
    // However many wait for the same person, they are asked once a day.
    const day = `${payee.id} ${this.clock.now().toISOString().slice(0, 10)}`;
    const cause = about === 'needs' ? day : `${day} ${about}`;
    return { ...letterAbout(about, visit), clientId, kind: 'payout_needs_you', cause, to, link };
  }
}

/** The address that it was made out to. A payee who is asked again may be at another address by now, which is why it was given back. */
function readerOf({ payout, payee }: ClaimVisit): string | null {
  const madeOutTo = payout.destination?.email ?? payee.email;
  return waitsForPayee(payout) && isAskedAgain(payout) ? (payee.email ?? madeOutTo) : madeOutTo;
}

/** Each address that came to nothing is a cause of its own. */
function mailOfWaiting(visit: ClaimVisit, reader: Pick<NewMail, 'to' | 'link'>): NewMail | null {
  const { id, clientId } = visit.payout;
  const mail = { ...reader, clientId };
  if (!isAskedAgain(visit.payout)) return { ...letterAbout('claim', visit), ...mail, kind: 'claim_link', cause: id };
  if (visit.client.mails.payoutNeedsYou === false) return null;
  return {
    ...letterAbout('again', visit),
    ...mail,
    kind: 'payout_needs_you',
    cause: `${id} ${nameOfAsking(visit.payout)}`,
  };
}

/** null: there is nothing to do for them. Who became ready meanwhile is told all the same that it was held: their page says how it stands. */
function aboutSetUp(visit: ClaimVisit): 'needs' | 'not_accepted' | null {
  if (!isForSetUp(visit)) return null;
  return visit.payee.payable && noticeAbout(visit.payout) === 'not_accepted' ? 'not_accepted' : 'needs';
}

/**
 * Whoever is paid by their address has nothing to set up. Whoever is being checked may have, once that is over: nothing is mailed then,
 * and the page behind this mail, which asks for nothing now, says how they stand by that time.
 */
function isForSetUp({ payout: { status, statusReason }, custody }: ClaimVisit): boolean {
  const isHeldForIt = status === 'held' && noticeOf(statusReason) === 'set_up';
  return isHeldForIt && (custody ?? 'custodial') === 'custodial';
}
