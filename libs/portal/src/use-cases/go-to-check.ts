/**
 * The click that leads a payee to where they are checked. The provider's link is made now and handed on: it is neither kept, mailed
 * nor logged. It leads back to the page of their payment, which lets nobody in who has not opened the wallet.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { RateLimit } from '#libs/domain';
import { CONFIG, type Config } from '#libs/config';
import { PayeeReads } from '#libs/payees';
import { CheckPayee } from '#libs/payouts';
import { PageChecks } from './page-checks';
import { TakeClick } from './take-click';
import type { ClaimVisit } from './visit-claim';
import { mayBeLed } from './visit-portal';

export type WentOn =
  { kind: 'go'; url: string } | { kind: 'shown'; as: 'refused' | 'later' | 'often'; rateLimit?: RateLimit | null };

@Injectable()
export class GoToCheck {
  constructor(
    private readonly clicks: TakeClick,
    private readonly checks: CheckPayee,
    private readonly payees: PayeeReads,
    private readonly pages: PageChecks,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
  ) {}

  async run(visit: ClaimVisit, locale: string): Promise<WentOn> {
    const { payout, client, payee } = visit;
    const back = `${this.config.publicUrl}/portal/payments/${payout.id}`;
    const click = await this.clicks.fromWallet(visit, back, 'waiting');
    if (click.kind !== 'back') return { kind: 'shown', as: click.kind, rateLimit: click.rateLimit };
    if (client.testMode) return { kind: 'go', url: `${back}/identity/test` };
    const fact = await this.checks.link(payout, { returnUrl: back, refreshUrl: back, locale });
    // Their provider may have taken its time: its link is not for whoever the payee was before, nor for who is blocked.
    const isTheirs = mayBeLed(payee, await this.payees.find(client.id, payee.id));
    if (!isTheirs || (await this.pages.isOnHold(visit))) return { kind: 'shown', as: 'later' };
    if (fact.kind === 'link') return { kind: 'go', url: fact.url };
    return { kind: 'shown', as: fact.kind === 'refused' && fact.failure === 'permanent' ? 'refused' : 'later' };
  }
}
