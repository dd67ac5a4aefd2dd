/**
 * The click that leads a payee to where they are checked. The provider's link is made now and handed on: it is neither kept, mailed
 * nor logged. It leads back to the page of their payment, which lets nobody in who has not opened the wallet.
 */
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '#libs/config';
import { CheckPayee } from '#libs/payouts';
import { TakeClick } from './take-click';
import type { ClaimVisit } from './visit-claim';

export type WentOn = { kind: 'go'; url: string } | { kind: 'shown'; as: 'refused' | 'later' | 'often' };

@Injectable()
export class GoToCheck {
  constructor(
    private readonly clicks: TakeClick,
    private readonly checks: CheckPayee,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
  ) {}

  async run(visit: ClaimVisit, locale: string): Promise<WentOn> {
    const { payout, client } = visit;
    const back = `${this.config.publicUrl}/portal/payments/${payout.id}`;
    const click = await this.clicks.fromWallet(visit, back);
    if (click !== 'go') return { kind: 'shown', as: click };
    if (client.testMode) return { kind: 'go', url: `${back}/identity/test` };
    const fact = await this.checks.link(payout, { returnUrl: back, refreshUrl: back, locale });
    if (fact.kind === 'link') return { kind: 'go', url: fact.url };
    return { kind: 'shown', as: fact.kind === 'refused' && fact.failure === 'permanent' ? 'refused' : 'later' };
  }
}
