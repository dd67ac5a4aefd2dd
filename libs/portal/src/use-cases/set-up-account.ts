/** The steps a payee takes from their wallet to be paid: set up their account, or have a new link mailed. */
import { Inject, Injectable } from '@nestjs/common';
import { type ErrorCode, type RateLimit, Refusal, TooMany } from '#libs/domain';
import { CONFIG, type Config } from '#libs/config';
import { LockPayees } from '#libs/payees';
import { PageLinkStore } from '../db/page-link.store';
import { PortalAccessReads } from '../db/portal-access.reads';
import { NoMailsLeft, SendPortalLink } from './send-portal-link';
import { isSamePerson, type Owner, type Visitor } from './visit-portal';

/** Why no link is mailed now. no_mails_left: their client may have no more sent today. */
export interface Unsent {
  why: ErrorCode | 'no_mails_left';
  /** If there were too many. */
  rateLimit: RateLimit | null;
}

@Injectable()
export class SetUpAccount {
  constructor(
    private readonly links: PageLinkStore,
    private readonly portalLinks: SendPortalLink,
    private readonly payees: LockPayees,
    private readonly access: PortalAccessReads,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
  ) {}

  /**
   * Returns where the page is on which they go on; it leads back to the wallet. Made with the payee held: of a wallet that closed since,
   * for its payee is somebody else or left it, it returns the wallet itself, which says so.
   */
  run({ client, payee, session }: Visitor): Promise<string> {
    const returnUrl = `${this.config.publicUrl}/portal`;
    const link = { clientId: client.id, payeeId: payee.id, returnUrl, frameOrigin: null };
    return this.payees.with([payee.id], async (payees) => {
      const now = payees.get(payee.id);
      if (!now || !isSamePerson(payee, now) || !(await this.access.isOpen(session.id))) return '/portal';
      return `/onboarding/${(await this.links.add('account', link)).token}`;
    });
  }

  /** null: a link was mailed; else why none is now. `byLink`: no wallet of theirs is open. */
  async mailLink({ client, payee }: Owner, byLink: boolean): Promise<Unsent | null> {
    try {
      await this.portalLinks.run(client, payee.id, byLink);
      return null;
    } catch (thrown) {
      if (!(thrown instanceof Refusal) || thrown.status >= 500) throw thrown;
      const rateLimit = thrown instanceof TooMany ? thrown.rateLimit : null;
      return { why: thrown instanceof NoMailsLeft ? 'no_mails_left' : thrown.code, rateLimit };
    }
  }
}
