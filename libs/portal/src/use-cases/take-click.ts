/** A click that leads on to a rail's pages, of which there are so many, and the way back from there. */
import { Inject, Injectable } from '@nestjs/common';
import type { RateLimit } from '#libs/domain';
import { CONFIG, type Config } from '#libs/config';
import { LockPayees, type Payee } from '#libs/payees';
import { type LinkTo, PageLinkStore } from '../db/page-link.store';
import { cameBy, isOfWallet } from '../page-link';
import { type Asking, PageQuestions } from './page-questions';
import type { Visit } from './visit-onboarding';
import { mayBeLed, type Owner } from './visit-portal';

/** Each click asks the provider for something. */
const MOST_CLICKS = 10;

export type NoClick = { kind: 'often'; rateLimit: RateLimit } | { kind: 'later'; rateLimit?: null };
export type Click = { kind: 'back'; url: string } | NoClick;

interface Wanted {
  notAfter?: Date | null;
  from?: string | null;
  stillGoesOn?: () => Promise<boolean>;
}

@Injectable()
export class TakeClick {
  constructor(
    private readonly links: PageLinkStore,
    private readonly payees: LockPayees,
    private readonly questions: PageQuestions,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
  ) {}

  /** `stillGoesOn` is asked with the payee held. */
  async run(
    { link, client, payee }: Pick<Visit, 'link' | 'client' | 'payee'>,
    stillGoesOn: () => Promise<boolean>,
  ): Promise<Click> {
    if (!this.questions.take({ client, payee }, 'set_up', cameBy(link))) return { kind: 'later' };
    // A way back that led on to a longer one would never end for whoever got hold of one.
    const notAfter = link.kind === 'return' ? link.expiresAt : null;
    return this.counted(payee, { ...link, fromWallet: isOfWallet(link) }, { notAfter, from: link.id, stillGoesOn });
  }

  /** One from a wallet, which leads back there: nobody is given the token. */
  async fromWallet({ client, payee }: Owner, returnUrl: string, asking: Asking = 'set_up'): Promise<Click> {
    if (!this.questions.take({ client, payee }, asking)) return { kind: 'later' };
    const link = { clientId: client.id, payeeId: payee.id, returnUrl, fromWallet: true };
    return this.counted(payee, link);
  }

  /**
   * With the payee held, so that clicks which come at once are counted one by one: those of a wallet alone, for whoever has another link
   * may be anybody. Who is somebody else or blocked by then, the click having waited for whoever changed them, is led nowhere, nor is one
   * by a link that ended with its wallet: the next look says what is open to them.
   */
  private counted(
    payee: Payee,
    link: Omit<Required<LinkTo>, 'frameOrigin'>,
    { notAfter = null, from = null, stillGoesOn = async () => true }: Wanted = {},
  ): Promise<Click> {
    return this.payees.with([payee.id], async (payees) => {
      if (!mayBeLed(payee, payees.get(payee.id)) || !(await stillGoesOn())) return { kind: 'later' };
      if (from !== null && !(await this.links.isThere(from))) return { kind: 'later' };
      const { links, resetSeconds } = await this.links.recentReturns(payee.id, link.fromWallet);
      if (links >= MOST_CLICKS) return { kind: 'often', rateLimit: { limit: MOST_CLICKS, resetSeconds } };
      const { token } = await this.links.add('return', { ...link, frameOrigin: null }, notAfter);
      return { kind: 'back', url: `${this.config.publicUrl}/onboarding/${token}` };
    });
  }
}
