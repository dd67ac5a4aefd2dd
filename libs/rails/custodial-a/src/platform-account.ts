/** The account that our key belongs to, and what lies in it. */
import { ourAmount, providerDigits, type RailCall, type RailFunds, type VerificationAnswer } from '#libs/rail-kit';
import { AMOUNTS } from './amounts';
import { codeOf, isAboutUs, notNow, unanswered } from './custodial-a.mapping';
import type { StripeClient } from './stripe.client';

export class PlatformAccount {
  constructor(
    private readonly client: StripeClient,
    private readonly mode: 'live' | 'sandbox',
  ) {}

  async funding(call?: RailCall): Promise<RailFunds[]> {
    const answer = await this.client.balance(call?.signal);
    if (answer.kind !== 'done') throw new Error(`Stripe told no balance: ${unanswered(answer).detail}`);
    return answer.found.available.flatMap(({ amount, currency }) => {
      const known = currency.toUpperCase();
      const units = BigInt(Math.max(0, amount));
      const availableCents = ourAmount(units, known, providerDigits({ amounts: AMOUNTS }, known));
      return availableCents === null ? [] : [{ currency: known, availableCents }];
    });
  }

  async verify(call?: RailCall): Promise<VerificationAnswer> {
    const answer = await this.client.ownAccount(call?.signal);
    if (answer.kind === 'done') return { kind: 'works', account: answer.found.id, mode: this.mode };
    if (answer.kind === 'later') return notNow(answer.afterSeconds);
    if (answer.kind === 'rejected' && isAboutUs(answer.status))
      return { kind: 'rejected', detail: codeOf(answer.problem.error) };
    return unanswered(answer);
  }
}
