/** What a payee does about themselves from their wallet: get ready to be paid, or have a new link mailed. */
import { Inject, Injectable } from '@nestjs/common';
import { type ErrorCode, Refusal } from '#libs/domain';
import { CONFIG, type Config } from '#libs/config';
import { PageLinkStore } from '../db/page-link.store';
import { NoMailsLeft, SendPortalLink } from './send-portal-link';
import type { Owner, Visitor } from './visit-portal';

/** Why no link is mailed now. no_mails_left: their client may have no more sent today. */
export type Unsent = ErrorCode | 'no_mails_left';

@Injectable()
export class SetUpAccount {
  constructor(
    private readonly links: PageLinkStore,
    private readonly portalLinks: SendPortalLink,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
  ) {}

  /** Returns where the page is on which they go on; it leads back to the wallet. */
  async run({ client, payee }: Visitor): Promise<string> {
    const returnUrl = `${this.config.publicUrl}/portal`;
    const link = { clientId: client.id, payeeId: payee.id, returnUrl, frameOrigin: null };
    return `/onboarding/${(await this.links.add('account', link)).token}`;
  }

  /** null: a link was mailed; else why none is now. `byLink`: no wallet of theirs is open. */
  async mailLink({ client, payee }: Owner, byLink: boolean): Promise<Unsent | null> {
    try {
      await this.portalLinks.run(client, payee.id, byLink);
      return null;
    } catch (thrown) {
      if (thrown instanceof NoMailsLeft) return 'no_mails_left';
      if (thrown instanceof Refusal && thrown.status < 500) return thrown.code;
      throw thrown;
    }
  }
}
