import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import { type PortalLink, type PortalSession, REPEAT_SECONDS } from '../portal-session';

@Injectable()
export class PortalAccessReads {
  constructor(private readonly db: Db) {}

  /** Of these those that would open a wallet; none is used up by that. */
  links(digests: Buffer[]): Promise<(PortalLink & { digest: Buffer })[]> {
    return this.db.rows(
      `SELECT digest, client_id, payee_id, created_at AS link_made_at FROM page_links
       WHERE digest = ANY($1) AND kind = 'portal' AND used_at IS NULL AND expires_at > now()`,
      [digests],
    );
  }

  /** Whether it once was a link into this payee's wallet, and is used or over. */
  async isSpentLink(digest: Buffer, payeeId: string): Promise<boolean> {
    const row = await this.db.row(
      `SELECT 1 FROM page_links WHERE digest = $1 AND kind = 'portal' AND payee_id = $2
         AND (used_at IS NOT NULL OR expires_at <= now())`,
      [digest, payeeId],
    );
    return row !== null;
  }

  async isOpen(sessionId: string): Promise<boolean> {
    const row = await this.db.row('SELECT 1 FROM portal_sessions WHERE id = $1 AND expires_at > now()', [sessionId]);
    return row !== null;
  }

  sessions(digests: Buffer[]): Promise<(PortalSession & { digest: Buffer })[]> {
    return this.db.rows(
      `SELECT id, digest, client_id, payee_id, link_made_at, fresh_until > now() AS is_fresh,
         created_at > now() - make_interval(secs => $2) AS is_just_opened
       FROM portal_sessions WHERE digest = ANY($1) AND expires_at > now()`,
      [digests, REPEAT_SECONDS],
    );
  }
}
