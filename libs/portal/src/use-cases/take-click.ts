/** A click that leads on to a rail's pages, of which there are so many, and the way back from there. */
import { Inject, Injectable } from '@nestjs/common';
import type { Client } from '#libs/clients';
import { CONFIG, type Config } from '#libs/config';
import { LockPayees } from '#libs/payees';
import { PageLinkStore } from '../db/page-link.store';
import type { PageLink } from '../page-link';
import { PageQuestions } from './page-questions';

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
    const token = await this.payees.with([link.payeeId], () => this.counted(link));
    return token === null ? { kind: 'often' } : { kind: 'back', url: `${this.config.publicUrl}/onboarding/${token}` };
  }

  /** With the payee held, so that clicks which come at once are counted one by one. */
  private async counted(link: PageLink): Promise<string | null> {
    if ((await this.links.recent('return', link.payeeId)) >= MOST_CLICKS) return null;
    // A way back that led on to a longer one would never end for whoever got hold of one.
    const notAfter = link.kind === 'return' ? link.expiresAt : null;
    return (await this.links.add('return', { ...link, frameOrigin: null }, notAfter)).token;
  }
}
