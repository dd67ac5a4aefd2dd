/**
 * The click that leads on to the rail's own pages. Their link is made now and handed on: it is neither kept nor mailed. The
 * rail is given a way back to us that outlives the link of the page, for to prove who one is may take hours.
 */
import { Inject, Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import { CONFIG, type Config } from '#libs/config';
import { CoolDown, type MintedLink, MintOnboardingLink } from '#libs/payees';
import { PageLinkStore } from '../db/page-link.store';
import { goesOn, type Stage, type Visit } from './visit-onboarding';

/** Each click asks the provider for something. */
const MOST_CLICKS = 10;

export type Continued =
  | { kind: 'go'; url: string }
  | { kind: 'shown'; as: Stage | 'refused' | 'later' | 'often' }
  | { kind: 'cooling'; until: Date };

@Injectable()
export class ContinueOnboarding {
  constructor(
    private readonly links: PageLinkStore,
    private readonly mint: MintOnboardingLink,
    private readonly coolDown: CoolDown,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
  ) {}

  async run({ link, client, payee, stage }: Visit, locale: string): Promise<Continued> {
    if (!goesOn(stage)) return { kind: 'shown', as: stage };
    const until = this.coolDown.until(client, payee);
    if (until) return { kind: 'cooling', until };
    if ((await this.links.recent('return', payee.id)) >= MOST_CLICKS) return { kind: 'shown', as: 'often' };
    const { token } = await this.links.add('return', { ...link, frameOrigin: null });
    const back = `${this.config.publicUrl}/onboarding/${token}`;
    if (client.testMode) return { kind: 'go', url: `${back}/test` };
    const minted = await this.minted(() =>
      this.mint.run(client, payee.id, { returnUrl: back, refreshUrl: back, locale }),
    );
    if (minted.kind === 'link') return { kind: 'go', url: minted.url };
    return { kind: 'shown', as: minted.kind };
  }

  /** What may have changed between the look and the click is a refusal as well. */
  private async minted(mint: () => Promise<MintedLink>): Promise<MintedLink> {
    try {
      return await mint();
    } catch (thrown) {
      if (thrown instanceof Refusal) return { kind: 'refused', reason: thrown.message };
      throw thrown;
    }
  }
}
