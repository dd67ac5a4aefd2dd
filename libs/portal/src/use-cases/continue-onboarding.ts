/**
 * The click that leads on to the rail's own pages. Their link is made now and handed on: it is neither kept nor mailed. The
 * rail is given a way back to us that outlives the link of the page, for to prove who one is may take hours.
 */
import { Injectable } from '@nestjs/common';
import { type RateLimit, Refusal } from '#libs/domain';
import { CoolDown, type MintedLink, MintOnboardingLink } from '#libs/payees';
import { TakeClick } from './take-click';
import { goesOn, leadsOn, type Stage, type Visit, VisitOnboarding } from './visit-onboarding';

export type Continued =
  | { kind: 'go'; url: string }
  | {
      kind: 'shown';
      as: Stage | 'cooling' | 'refused' | 'later' | 'often';
      /** Of what cools down. */
      until?: Date;
      /** If there were too many clicks. */
      rateLimit?: RateLimit | null;
    };

@Injectable()
export class ContinueOnboarding {
  constructor(
    private readonly clicks: TakeClick,
    private readonly mint: MintOnboardingLink,
    private readonly coolDown: CoolDown,
    private readonly visits: VisitOnboarding,
  ) {}

  async run(visit: Visit, locale: string): Promise<Continued> {
    const { client, payee, stage } = visit;
    if (!leadsOn(visit)) return { kind: 'shown', as: stage };
    const until = this.coolDown.until(client, payee);
    if (until) return { kind: 'shown', as: 'cooling', until };
    if (!goesOn(visit)) return { kind: 'shown', as: stage };
    const stillGoesOn = (): Promise<boolean> => this.visits.stillGoesOn(visit);
    const click = await this.clicks.run(visit, stillGoesOn);
    if (click.kind !== 'back') return { kind: 'shown', as: click.kind, rateLimit: click.rateLimit };
    const { url: back } = click;
    if (client.testMode) return { kind: 'go', url: `${back}/test` };
    const minted = await this.minted(() =>
      this.mint.run(client, payee.id, { returnUrl: back, refreshUrl: back, locale }, stillGoesOn),
    );
    return minted.kind === 'link' ? { kind: 'go', url: minted.url } : { kind: 'shown', as: minted.kind };
  }

  /** If something changed between the look and the click, that is a refusal as well. */
  private async minted(mint: () => Promise<MintedLink>): Promise<MintedLink> {
    try {
      return await mint();
    } catch (thrown) {
      if (thrown instanceof Refusal) return { kind: 'refused', reason: thrown.message };
      throw thrown;
    }
  }
}
