/** Whom a token lets in, and where. Whoever guesses makes the database no busier than a few statements at a time. */
import { Injectable } from '@nestjs/common';
import { digest } from '#libs/domain';
import { LookUps } from '#libs/clients';
import { PageLinkReads } from '../db/page-link.reads';
import { PortalAccessReads } from '../db/portal-access.reads';
import { isPageToken, type PageLink } from '../page-link';
import type { PortalLink, PortalSession } from '../portal-session';

/** Returns null for whatever opens nothing: nobody learns whether it ever did. `suspect`: whoever asks has guessed often. */
type Find<T> = (token: string, suspect: boolean) => Promise<T | null>;

@Injectable()
export class FindPageLink {
  readonly onboarding: Find<PageLink>;
  readonly portal: Find<PortalLink>;
  readonly session: Find<PortalSession>;

  constructor(links: PageLinkReads, access: PortalAccessReads) {
    this.onboarding = finding((digests) => links.byDigests(digests));
    this.portal = finding((digests) => access.links(digests));
    this.session = finding((digests) => access.sessions(digests));
  }
}

function finding<Row extends { digest: Buffer }>(read: (digests: Buffer[]) => Promise<Row[]>): Find<Row> {
  const lookUps = new LookUps(read);
  return async (token, suspect) => (isPageToken(token) ? lookUps.byDigest(digest(token), suspect) : null);
}
