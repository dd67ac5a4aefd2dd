/**
 * A used link that is opened again in a browser where its wallet is still open leads there. Anybody without that payee's wallet open
 * learns nothing: neither that it ever was a link, nor whose.
 */
import { Injectable } from '@nestjs/common';
import { digest } from '#libs/domain';
import type { GatewayRequest } from '#libs/http-kit';
import { PortalAccessReads } from '../db/portal-access.reads';
import { isPageToken } from '../page-link';
import { PageDoor } from './page-door';

@Injectable()
export class SpentLink {
  constructor(
    private readonly door: PageDoor,
    private readonly reads: PortalAccessReads,
  ) {}

  async isOfWalletHere(request: GatewayRequest, token: string): Promise<boolean> {
    if (!isPageToken(token)) return false;
    const visitor = await this.door.visitor(request);
    return visitor !== null && this.reads.isSpentLink(digest(token), visitor.payee.id);
  }
}
