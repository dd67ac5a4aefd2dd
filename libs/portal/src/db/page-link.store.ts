/** Links are written when they are made, and forgotten when they are over. The token itself goes out once. */
import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { digest, newId } from '#libs/domain';
import { Db } from '#libs/db';
import { PAGE_LINK_KINDS, type PageLink, type PageLinkKind } from '../page-link';

export type LinkTo = Pick<PageLink, 'clientId' | 'payeeId' | 'returnUrl' | 'frameOrigin'> & { fromWallet?: boolean };

@Injectable()
export class PageLinkStore {
  constructor(private readonly db: Db) {}

  /**
   * `notAfter`: the link ends by then, however long links of its kind are good. Dated by the current time, because its transaction may have
   * begun before a change of the payee that it waited for.
   */
  async add(
    kind: PageLinkKind,
    { clientId, payeeId, returnUrl, frameOrigin, fromWallet = false }: LinkTo,
    notAfter: Date | null = null,
  ): Promise<{ token: string; expiresAt: Date }> {
    const token = randomBytes(32).toString('base64url');
    const added = await this.db.row<Pick<PageLink, 'expiresAt'>>(
      `INSERT INTO page_links (id, digest, kind, client_id, payee_id, return_url, frame_origin, from_wallet, created_at, expires_at)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, moment, least(moment + make_interval(secs => $9), $10::timestamptz)
       FROM clock_timestamp() AS moment RETURNING expires_at`,
      [
        ...[newId(), digest(token), kind, clientId, payeeId, returnUrl, frameOrigin, fromWallet],
        ...[PAGE_LINK_KINDS[kind], notAfter],
      ],
    );
    if (!added) throw new Error(`A link of payee ${payeeId} was not written.`);
    return { token, expiresAt: added.expiresAt };
  }

  /**
   * How many ways back were made for a payee in the last ten minutes, from their wallet or by links that were handed out, and in how many
   * seconds the first of them stops counting.
   */
  async recentReturns(payeeId: string, fromWallet: boolean): Promise<{ links: number; resetSeconds: number }> {
    const row = await this.db.row<{ links: number; resetSeconds: number }>(
      `SELECT count(*)::int AS links,
         coalesce(ceil(extract(epoch FROM min(created_at) + interval '10 minutes' - now())), 0)::int AS reset_seconds
       FROM page_links
       WHERE payee_id = $1 AND kind = 'return' AND from_wallet = $2 AND created_at > now() - interval '10 minutes'`,
      [payeeId, fromWallet],
    );
    return row ?? { links: 0, resetSeconds: 0 };
  }

  async isThere(id: string): Promise<boolean> {
    return (await this.db.row('SELECT 1 FROM page_links WHERE id = $1 AND expires_at > now()', [id])) !== null;
  }

  /** Those that a payee made for themselves, and what came of them. They are still counted. */
  async endOwn(payeeId: string): Promise<void> {
    await this.db.execute(
      `UPDATE page_links SET expires_at = now()
       WHERE payee_id = $1 AND (kind = 'account' OR from_wallet) AND expires_at > now()`,
      [payeeId],
    );
  }

  /** So many at most; returns how many. Those of the last minutes are counted. */
  forgetExpired(most: number): Promise<number> {
    return this.db.execute(
      `DELETE FROM page_links WHERE id IN (SELECT id FROM page_links
         WHERE expires_at < now() AND created_at < now() - interval '10 minutes' LIMIT $1 FOR UPDATE SKIP LOCKED)`,
      [most],
    );
  }
}
