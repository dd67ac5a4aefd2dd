import { Injectable } from '@nestjs/common';
import { digest } from '#libs/domain';
import { Db } from '#libs/db';
import { isPageToken } from '../page-link';
import type { PortalSession } from '../portal-session';

@Injectable()
export class PortalAccessReads {
  constructor(private readonly db: Db) {}

  /** Whose wallet a link would open; it is not used up by that. */
  async link(token: string): Promise<{ clientId: string; payeeId: string; linkMadeAt: Date } | null> {
    if (!isPageToken(token)) return null;
    return this.db.row(
      `SELECT client_id, payee_id, created_at AS link_made_at FROM page_links
       WHERE digest = $1 AND kind = 'portal' AND used_at IS NULL AND expires_at > now()`,
      [digest(token)],
    );
  }

  async session(token: string): Promise<PortalSession | null> {
    if (!isPageToken(token)) return null;
    return this.db.row<PortalSession>(
      `SELECT id, client_id, payee_id, link_made_at, fresh_until > now() AS is_fresh FROM portal_sessions
       WHERE digest = $1 AND expires_at > now()`,
      [digest(token)],
    );
  }
}
