/** Which link a token is of. Whoever guesses makes the database no busier than a few statements at a time. */
import { Injectable } from '@nestjs/common';
import { digest } from '#libs/domain';
import { LookUps } from '#libs/clients';
import { PageLinkReads } from '../db/page-link.reads';
import { isPageToken, type PageLink } from '../page-link';

@Injectable()
export class FindPageLink {
  private readonly lookUps = new LookUps((digests) => this.links.byDigests(digests));

  constructor(private readonly links: PageLinkReads) {}

  /** null for whatever opens nothing: nobody learns whether it ever did. `suspect`: whoever asks has guessed often. */
  async run(token: string, suspect: boolean): Promise<PageLink | null> {
    return isPageToken(token) ? this.lookUps.byDigest(digest(token), suspect) : null;
  }
}
