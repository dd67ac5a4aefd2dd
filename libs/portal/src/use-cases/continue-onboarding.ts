/**
 * The click that leads on to the rail's own pages. Their link is made now and handed on: it is neither kept nor mailed. The
 * rail is given a way back to us that outlives the link of the page, for to prove who one is may take hours.
 */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import { CoolDown, type MintedLink, MintOnboardingLink, PayeeReads } from '#libs/payees';
import { TakeClick } from './take-click';
import { goesOn, leadsOn, type Stage, type Visit } from './visit-onboarding';
import { isSamePerson } from './visit-portal';

export type Continued =
  | { kind: 'go'; url: string }
  | { kind: 'shown'; as: Stage | 'refused' | 'later' | 'often' }
  | { kind: 'cooling'; until: Date };

@Injectable()
export class ContinueOnboarding {
  constructor(
    private readonly clicks: TakeClick,
    private readonly mint: MintOnboardingLink,
    private readonly coolDown: CoolDown,
    private readonly payees: PayeeReads,
  ) {}

  async run(visit: Visit, locale: string): Promise<Continued> {
    const { client, payee, stage } = visit;
    if (!leadsOn(visit)) return { kind: 'shown', as: stage };
    const until = this.coolDown.until(client, payee);
    if (until) return { kind: 'cooling', until };
    if (!goesOn(visit)) return { kind: 'shown', as: stage };
    const click = await this.clicks.run(visit);
    if (click.kind !== 'back') return { kind: 'shown', as: click.kind };
    const { url: back } = click;
    if (client.testMode) return { kind: 'go', url: `${back}/test` };
    const minted = await this.minted(() =>
      this.mint.run(client, payee.id, { returnUrl: back, refreshUrl: back, locale }),
    );
    if (minted.kind !== 'link') return { kind: 'shown', as: minted.kind };
    // Rails may have taken their time, to open the account and to make the link: it is not for whoever the payee was before.
    const now = await this.payees.find(client.id, payee.id);
    return now && isSamePerson(payee, now) ? { kind: 'go', url: minted.url } : { kind: 'shown', as: 'later' };
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
