/** Whom a token lets in, and where. Whoever guesses makes the database no busier than a few statements at a time. */
import { Injectable } from '@nestjs/common';
import { digest } from '#libs/domain';
import { WalletLinks } from '#libs/claim-links';
import { LookUps } from '#libs/clients';
import { DatabaseClock } from '#libs/db';
import { PayeeReads } from '#libs/payees';
import { PageLinkReads } from '../db/page-link.reads';
import { PortalAccessReads } from '../db/portal-access.reads';
import { isPageToken, type PageLink } from '../page-link';
import { type PortalLink, type PortalSession, WALLET_LINK_SECONDS } from '../portal-session';

/** Returns null for whatever opens nothing: nobody learns whether it ever did. `suspect`: whoever asks has guessed often. */
type Find<T> = (token: string, suspect: boolean) => Promise<T | null>;

@Injectable()
export class FindPageLink {
  readonly onboarding: Find<PageLink>;
  readonly portal: Find<PortalLink>;
  readonly session: Find<PortalSession>;

  constructor(
    links: PageLinkReads,
    private readonly access: PortalAccessReads,
    private readonly walletLinks: WalletLinks,
    private readonly payees: PayeeReads,
    private readonly clock: DatabaseClock,
  ) {
    this.onboarding = finding((digests) => links.byDigests(digests));
    this.portal = finding((digests) => access.links(digests));
    this.session = finding((digests) => access.sessions(digests));
  }

  /** Whether it once led into this payee's wallet, and is used or over. */
  async isSpent(token: string, payeeId: string): Promise<boolean> {
    return isPageToken(token) && this.access.isSpentLink(digest(token), payeeId);
  }

  /** Of a mail about waiting money: nothing was stored for it, and whoever guesses one asks nothing of the database. */
  async wallet(token: string): Promise<PortalLink | null> {
    const link = this.walletLinks.read(token);
    const payee = link && (await this.payees.find(link.clientId, link.payeeId));
    if (!payee) return null;
    const { clientId, payeeId } = link;
    const linkMadeAt = link.madeAt(payee.createdAt);
    const isOver = this.clock.now().getTime() - linkMadeAt.getTime() > WALLET_LINK_SECONDS * 1_000;
    return isOver ? null : { clientId, payeeId, linkMadeAt };
  }
}

function finding<Row extends { digest: Buffer }>(read: (digests: Buffer[]) => Promise<Row[]>): Find<Row> {
  const lookUps = new LookUps(read);
  return async (token, suspect) => (isPageToken(token) ? lookUps.byDigest(digest(token), suspect) : null);
}
