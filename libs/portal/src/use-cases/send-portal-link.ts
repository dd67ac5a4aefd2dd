/**
 * Mails a payee a link into their wallet. It goes to their own address and nowhere else, works once, and for a quarter of an hour;
 * the link, its mail and the job that sends it are one transaction.
 */
import { Injectable } from '@nestjs/common';
import { Refusal, TooMany } from '#libs/domain';
import type { Client } from '#libs/clients';
import { type MailsSent, QueueAwaited } from '#libs/mail';
import { LockPayees, PayeeReads } from '#libs/payees';
import { PortalAccess } from '../db/portal-access.store';
import { portalLinkLetter } from '../letters/portal-link';
import { MOST_LINKS } from '../portal-session';
import { LinkRules } from './link-rules';

@Injectable()
export class SendPortalLink {
  constructor(
    private readonly payees: PayeeReads,
    private readonly locks: LockPayees,
    private readonly access: PortalAccess,
    private readonly mails: QueueAwaited,
    private readonly rules: LinkRules,
  ) {}

  /**
   * Returns until when it works. `byLink`: whoever asks has a link that was mailed, or handed out, and may be anybody: they use up
   * none of those that a client, or the wallet itself, asks for.
   */
  async run(client: Client, payeeId: string, byLink = false): Promise<Date> {
    const known = await this.payees.find(client.id, payeeId);
    if (!known) throw new Refusal('payee_not_found');
    // To the address that they have now, and dated while nobody changes it: a link that is younger than a change survives it.
    return this.locks.with([known.id], async (payees) => {
      const payee = payees.get(known.id);
      if (!payee) throw new Refusal('payee_not_found');
      const address = await this.rules.addressOf(client, payee);
      const { links, resetSeconds } = await this.access.recentLinks(payee.id, byLink);
      if (links >= MOST_LINKS.links) throw tooMany(resetSeconds);
      const whose = { clientId: client.id, payeeId: payee.id };
      const { id, token, expiresAt } = await this.access.addLink(whose, byLink);
      const letter = portalLinkLetter(client, payee);
      const link = this.rules.linkTo(token);
      const mail = {
        ...letter,
        clientId: client.id,
        kind: 'portal_link',
        cause: id,
        to: address,
        link,
        byLink,
      } as const;
      // Nobody is told to look for a mail that is not sent.
      const limit = await this.mails.run(mail);
      if (limit) throw tooManyMails(limit);
      return expiresAt;
    });
  }
}

/** The payee got none of them, maybe: they went to all whom this client pays. */
export class NoMailsLeft extends TooMany {}

function tooManyMails({ why, limit, resetSeconds }: MailsSent): Refusal {
  const rate = { limit, resetSeconds };
  if (why === 'CLIENT_IN_A_DAY')
    return new NoMailsLeft('No link was sent: the client had too many mails sent in a day. Try again later.', rate);
  return new TooMany("No link was sent: the payee's address got too many mails. Try again later.", rate);
}

const tooMany = (resetSeconds: number): Refusal =>
  new TooMany(
    `The payee was sent ${MOST_LINKS.links} links in the last ${MOST_LINKS.minutes} minutes. Try again later.`,
    { limit: MOST_LINKS.links, resetSeconds },
  );
