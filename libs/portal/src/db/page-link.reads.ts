import { Injectable } from '@nestjs/common';
import { digest } from '#libs/domain';
import { Db } from '#libs/db';
import { isPageToken, type PageLink } from '../page-link';

@Injectable()
export class PageLinkReads {
  constructor(private readonly db: Db) {}

  /** null for whatever opens nothing: nobody learns whether it ever did. */
  async byToken(token: string): Promise<PageLink | null> {
    if (!isPageToken(token)) return null;
    return this.db.row<PageLink>(
      `SELECT id, kind, client_id, payee_id, return_url, frame_origin, expires_at FROM page_links
       WHERE digest = $1 AND kind IN ('onboarding', 'return') AND expires_at > now()`,
      [digest(token)],
    );
  }
}
