/**
 * A mailed link opens a wallet in one browser, once. A form that is sent again a moment later has the same wallet opened, not another one: on
 * a slow network one taps twice, and the browser drops the answer to the first tap.
 */
import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { digest } from '#libs/domain';
import { Seal } from '#libs/claim-links';
import { CONFIG, type Config } from '#libs/config';
import { Db } from '#libs/db';
import { PortalAccessReads } from '../db/portal-access.reads';
import { PortalAccess } from '../db/portal-access.store';
import { isPageToken } from '../page-link';
import { VisitPortal } from './visit-portal';

@Injectable()
export class OpenWallet {
  private readonly seal: Seal;

  constructor(
    @Inject(CONFIG) { masterKeys }: Pick<Config, 'masterKeys'>,
    private readonly db: Db,
    private readonly access: PortalAccess,
    private readonly reads: PortalAccessReads,
    private readonly visits: VisitPortal,
  ) {
    this.seal = new Seal(masterKeys, 'wallet sessions');
  }

  /** The part of a form that nobody knows but who was shown it: each look makes another one, and nothing is stored of it. */
  newTap(): string {
    return randomBytes(32).toString('base64url');
  }

  /** What a browser keeps that opens the wallet by this form: the same each time, and only we can tell it. */
  sessionOf(token: string, tap: unknown): string {
    const known = typeof tap === 'string' && isPageToken(tap) ? tap : this.newTap();
    return this.seal.codeOf(Buffer.from(`${token} ${known}`)).toString('base64url');
  }

  /** `session`: what the browser is to keep. Whether the wallet is open by it now. */
  async run(token: string, session: string): Promise<boolean> {
    const isOpened = await this.db.inTransaction(async () => {
      const link = await this.access.useLink(token);
      const owner = link && (await this.visits.behindLink({ ...link, linkMadeAt: link.createdAt }));
      if (owner) await this.access.openSession(link, session);
      return owner !== null;
    });
    return isOpened || this.wasJustOpened(session);
  }

  /** By the same form, and it still is: nobody left it, and its payee is who they were. */
  private async wasJustOpened(session: string): Promise<boolean> {
    const [opened] = await this.reads.sessions([digest(session)]);
    return opened?.isJustOpened === true && (await this.visits.visitor(opened)) !== null;
  }
}
