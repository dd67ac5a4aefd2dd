/** The visitor of a wallet: the payee whose link opened it in this browser, unless something about them has changed since. */
import { Injectable } from '@nestjs/common';
import { type Client, ClientRegistry } from '#libs/clients';
import { type Payee, PayeeReads } from '#libs/payees';
import type { PortalLink, PortalSession } from '../portal-session';
import { LeaveWallet } from './leave-wallet';

export interface Owner {
  client: Client;
  payee: Payee;
}

export interface Visitor extends Owner {
  session: PortalSession;
}

@Injectable()
export class VisitPortal {
  constructor(
    private readonly clients: ClientRegistry,
    private readonly payees: PayeeReads,
    private readonly leaving: LeaveWallet,
  ) {}

  /** null for a link that opens nothing. Programs that look into mails open links as well: looking uses nothing up. */
  behindLink(link: PortalLink): Promise<Owner | null> {
    return this.ownerOf(link);
  }

  async visitor(session: PortalSession): Promise<Visitor | null> {
    const owner = await this.ownerOf(session);
    return owner && { ...owner, session };
  }

  leave({ session }: Visitor): Promise<void> {
    return this.leaving.run(session);
  }

  /** A link went to who the payee was then: to somebody else it opens nothing. */
  private async ownerOf({ clientId, payeeId, linkMadeAt }: PortalLink): Promise<Owner | null> {
    const known = await this.clients.byId(clientId);
    const payee = await this.payees.find(clientId, payeeId);
    if (!known || known.client.status === 'closed' || !payee) return null;
    if (payee.email === null || isSomebodyElse(payee, linkMadeAt)) return null;
    return { client: known.client, payee };
  }
}

/** Whether the payee's address, name or country changed since. */
export const isSomebodyElse = ({ emailChangedAt, identityChangedAt }: Payee, then: Date): boolean =>
  [emailChangedAt, identityChangedAt].some((at) => at !== null && at >= then);

/** The wallet is of whoever had its link, and closes when that may be somebody else. */
export const isSamePerson = (one: Payee, other: Payee): boolean =>
  one.emailChangedAt?.getTime() === other.emailChangedAt?.getTime() &&
  one.identityChangedAt?.getTime() === other.identityChangedAt?.getTime();

/** To a page of a provider's: whoever came is still who it is, and not blocked. */
export const mayBeLed = (came: Payee, now: Payee | null | undefined): boolean =>
  now != null && isSamePerson(came, now) && !now.blocked;
