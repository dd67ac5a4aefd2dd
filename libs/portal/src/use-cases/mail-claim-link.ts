/**
 * Mails a payee the link to a payment that waits for them: once for each payment, to the address that it is paid to. Whoever made
 * it go on by hand, or sent it in a batch, tells its payee themselves.
 */
import { Injectable } from '@nestjs/common';
import { ClaimLinks } from '#libs/claim-links';
import { MailOutbox } from '#libs/mail';
import { waitsForPayee } from '#libs/payout-rules';
import { PayoutReads } from '#libs/payouts';
import { claimLinkLetter } from '../letters/claim-link';
import { VisitClaim } from './visit-claim';

@Injectable()
export class MailClaimLink {
  constructor(
    private readonly payouts: PayoutReads,
    private readonly visits: VisitClaim,
    private readonly links: ClaimLinks,
    private readonly mails: MailOutbox,
  ) {}

  async run(payoutId: string): Promise<void> {
    const payout = await this.payouts.find(payoutId);
    const to = payout?.destination?.email;
    if (!payout || !to || !waitsForPayee(payout) || (await this.payouts.wentOnByHand(payoutId))) return;
    const visit = await this.visits.run(payout);
    const link = this.links.shown(payout.claimUrl, payoutId);
    if (!visit || link === null) return;
    const letter = claimLinkLetter(visit.client, visit.payee, payout);
    await this.mails.queue([{ ...letter, clientId: payout.clientId, kind: 'claim_link', cause: payoutId, to, link }]);
  }
}
