/** A click that leads on to a rail's pages, of which there are so many, and the way back from there. */
import { Inject, Injectable } from '@nestjs/common';
import type { Client } from '#libs/clients';
import { CONFIG, type Config } from '#libs/config';
import { LockPayees } from '#libs/payees';
import { type LinkTo, PageLinkStore } from '../db/page-link.store';
import type { PageLink } from '../page-link';
import { PageQuestions } from './page-questions';
import type { Owner } from './visit-portal';

/** Each click asks the provider for something. */
const MOST_CLICKS = 10;

export type Click = { kind: 'back'; url: string } | { kind: 'often' } | { kind: 'later' };

@Injectable()
export class TakeClick {
  constructor(
    private readonly links: PageLinkStore,
    private readonly payees: LockPayees,
    private readonly questions: PageQuestions,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
  ) {}

  async run(client: Client, link: PageLink): Promise<Click> {
    if (!this.questions.take(client)) return { kind: 'later' };
    // A way back that led on to a longer one would never end for whoever got hold of one.
    const token = await this.counted(link, link.kind === 'return' ? link.expiresAt : null);
    return token === null ? { kind: 'often' } : { kind: 'back', url: `${this.config.publicUrl}/onboarding/${token}` };
  }

  /** One from a wallet, which leads back there: nobody is given the token. */
  async fromWallet({ client, payee }: Owner, returnUrl: string): Promise<'go' | 'often' | 'later'> {
    if (!this.questions.take(client)) return 'later';
    const counted = await this.counted({ clientId: client.id, payeeId: payee.id, returnUrl });
    return counted === null ? 'often' : 'go';
  }

  /** With the payee held, so that clicks which come at once are counted one by one. */
  private counted(link: Omit<LinkTo, 'frameOrigin'>, notAfter: Date | null = null): Promise<string | null> {
    return this.payees.with([link.payeeId], async () => {
      if ((await this.links.recent('return', link.payeeId)) >= MOST_CLICKS) return null;
      return (await this.links.add('return', { ...link, frameOrigin: null }, notAfter)).token;
    });
  }
}
