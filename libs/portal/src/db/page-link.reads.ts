import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import type { PageLink } from '../page-link';

@Injectable()
export class PageLinkReads {
  constructor(private readonly db: Db) {}

  /** Of these those that open an onboarding page. */
  byDigests(digests: Buffer[]): Promise<(PageLink & { digest: Buffer })[]> {
    return this.db.rows(
      `SELECT id, digest, kind, client_id, payee_id, return_url, frame_origin, from_wallet, created_at, expires_at
       FROM page_links WHERE digest = ANY($1) AND kind IN ('onboarding', 'account', 'return') AND expires_at > now()`,
      [digests],
    );
  }
}
