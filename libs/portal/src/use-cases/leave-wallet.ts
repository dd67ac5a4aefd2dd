/**
 * A payee leaves their wallet in one browser. The browser keeps the addresses of the pages that the wallet led to: so the next person at
 * it finds those closed as well.
 */
import { Injectable } from '@nestjs/common';
import { LockPayees } from '#libs/payees';
import { PageLinkStore } from '../db/page-link.store';
import { PortalAccess } from '../db/portal-access.store';
import type { PortalSession } from '../portal-session';

@Injectable()
export class LeaveWallet {
  constructor(
    private readonly payees: LockPayees,
    private readonly access: PortalAccess,
    private readonly links: PageLinkStore,
  ) {}

  /**
   * The session and the links end at once, whoever holds the payee. Links end once more with the payee held, as they are made with the payee
   * held: a click at the same moment is ended too, or finds the wallet closed.
   */
  async run({ id, payeeId }: PortalSession): Promise<void> {
    await this.access.endSession(id);
    await this.links.endOwn(payeeId);
    await this.payees.with([payeeId], () => this.links.endOwn(payeeId));
  }
}
