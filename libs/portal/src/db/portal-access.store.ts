/** The links that lead into a wallet and the browsers it is open in. Of both the token goes out once, and its digest is kept. */
import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { digest, newId } from '#libs/domain';
import { Db } from '#libs/db';
import { isPageToken } from '../page-link';
import { FRESH_SECONDS, LINK_SECONDS, MOST_LINKS, SESSION_SECONDS } from '../portal-session';

interface Opened {
  clientId: string;
  payeeId: string;
  createdAt: Date;
}

@Injectable()
export class PortalAccess {
  constructor(private readonly db: Db) {}

  /**
   * How many links were made for a payee lately, in that way, and in how many seconds the first of them stops counting. The caller holds the
   * payee, so nobody else makes one meanwhile.
   */
  async recentLinks(payeeId: string, byLink: boolean): Promise<{ links: number; resetSeconds: number }> {
    const row = await this.db.row<{ links: number; resetSeconds: number }>(
      `SELECT count(*)::int AS links,
         coalesce(ceil(extract(epoch FROM min(created_at) + make_interval(mins => $2) - now())), 0)::int AS reset_seconds
       FROM page_links
       WHERE payee_id = $1 AND kind = 'portal' AND by_link = $3 AND created_at > now() - make_interval(mins => $2)`,
      [payeeId, MOST_LINKS.minutes, byLink],
    );
    return row ?? { links: 0, resetSeconds: 0 };
  }

  /** Dated by the moment, because its transaction may have begun before a change of the payee that it waited for. */
  async addLink(
    { clientId, payeeId }: Pick<Opened, 'clientId' | 'payeeId'>,
    byLink: boolean,
  ): Promise<{ id: string; token: string; expiresAt: Date }> {
    const [id, token] = [newId(), randomBytes(32).toString('base64url')];
    const added = await this.db.row<{ expiresAt: Date }>(
      `INSERT INTO page_links (id, digest, kind, client_id, payee_id, created_at, expires_at, by_link)
       SELECT $1, $2, 'portal', $3, $4, moment, moment + make_interval(secs => $5), $6 FROM clock_timestamp() AS moment
       RETURNING expires_at`,
      [id, digest(token), clientId, payeeId, LINK_SECONDS, byLink],
    );
    if (!added) throw new Error(`A link into the wallet of payee ${payeeId} was not written.`);
    return { id, token, expiresAt: added.expiresAt };
  }

  /** It opens once: of two that come at the same time one finds it used. null if it opens nothing. */
  async useLink(token: string): Promise<Opened | null> {
    if (!isPageToken(token)) return null;
    return this.db.row<Opened>(
      `UPDATE page_links SET used_at = now()
       WHERE digest = $1 AND kind = 'portal' AND used_at IS NULL AND expires_at > now()
       RETURNING client_id, payee_id, created_at`,
      [digest(token)],
    );
  }

  async openSession({ clientId, payeeId, createdAt }: Opened, token: string): Promise<void> {
    await this.db.execute(
      `INSERT INTO portal_sessions (id, digest, client_id, payee_id, link_made_at, fresh_until, expires_at)
       VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6), now() + make_interval(secs => $7))`,
      [newId(), digest(token), clientId, payeeId, createdAt, FRESH_SECONDS, SESSION_SECONDS],
    );
  }

  async endSession(id: string): Promise<void> {
    await this.db.execute('DELETE FROM portal_sessions WHERE id = $1', [id]);
  }

  /** So many at most; returns how many. */
  forgetExpired(most: number): Promise<number> {
    return this.db.execute(
      `DELETE FROM portal_sessions WHERE id IN
         (SELECT id FROM portal_sessions WHERE expires_at < now() LIMIT $1 FOR UPDATE SKIP LOCKED)`,
      [most],
    );
  }
}
