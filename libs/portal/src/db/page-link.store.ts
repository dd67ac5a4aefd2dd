/** Links are written when they are made, and forgotten when they are over. The token itself goes out once. */
import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { digest, newId } from '#libs/domain';
import { Db } from '#libs/db';
import { PAGE_LINK_KINDS, type PageLink, type PageLinkKind } from '../page-link';

export type LinkTo = Pick<PageLink, 'clientId' | 'payeeId' | 'returnUrl' | 'frameOrigin'>;

@Injectable()
export class PageLinkStore {
  constructor(private readonly db: Db) {}

  /**
   * `notAfter`: it is over by then, however long links of its kind are good. Dated by the moment, for its transaction may have begun
   * before a change of the payee that it waited for.
   */
  async add(
    kind: PageLinkKind,
    { clientId, payeeId, returnUrl, frameOrigin }: LinkTo,
    notAfter: Date | null = null,
  ): Promise<{ token: string; expiresAt: Date }> {
    const token = randomBytes(32).toString('base64url');
    const added = await this.db.row<Pick<PageLink, 'expiresAt'>>(
      `INSERT INTO page_links (id, digest, kind, client_id, payee_id, return_url, frame_origin, created_at, expires_at)
       SELECT $1, $2, $3, $4, $5, $6, $7, moment, least(moment + make_interval(secs => $8), $9::timestamptz)
       FROM clock_timestamp() AS moment RETURNING expires_at`,
      [newId(), digest(token), kind, clientId, payeeId, returnUrl, frameOrigin, PAGE_LINK_KINDS[kind], notAfter],
    );
    if (!added) throw new Error(`A link of payee ${payeeId} was not written.`);
    return { token, expiresAt: added.expiresAt };
  }

  /** How many of them were made for a payee in the last ten minutes. */
  async recent(kind: PageLinkKind, payeeId: string): Promise<number> {
    const row = await this.db.row<{ links: number }>(
      `SELECT count(*)::int AS links FROM page_links
       WHERE payee_id = $1 AND kind = $2 AND created_at > now() - interval '10 minutes'`,
      [payeeId, kind],
    );
    return row?.links ?? 0;
  }

  /** Those that a payee made for themselves. */
  async endOwn(payeeId: string): Promise<void> {
    await this.db.execute(`DELETE FROM page_links WHERE payee_id = $1 AND kind = 'account'`, [payeeId]);
  }

  /** So many at most; returns how many. */
  forgetExpired(most: number): Promise<number> {
    return this.db.execute(
      'DELETE FROM page_links WHERE id IN (SELECT id FROM page_links WHERE expires_at < now() LIMIT $1)',
      [most],
    );
  }
}
