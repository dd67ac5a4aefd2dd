/** The balance that this rail pays from: what lies in it, and whose it is. */
import { codeTold, type RailCall, type RailFunds, type VerificationAnswer } from '#libs/rail-kit';
import { moneyOf } from './amounts';
import { notNow } from './gift-rail.mapping';
import { detailOf } from './orders';
import type { TremendousClient } from './tremendous.client';

export class Balance {
  constructor(
    private readonly client: TremendousClient,
    private readonly mode: 'live' | 'sandbox',
  ) {}

  async funding(call?: RailCall): Promise<RailFunds[]> {
    const answer = await this.client.readBalance(call?.signal);
    if (answer.kind !== 'done') throw new Error(`Tremendous told no balance: ${detailOf(answer)}`);
    const { available_amount: told, currency_code: currency } = answer.found.funding_source.meta;
    const money = told < 0 ? { amountCents: 0, currency } : moneyOf(told, currency);
    return money === null ? [] : [{ currency: money.currency, availableCents: money.amountCents }];
  }

  /** An organisation has one balance, and it is known by that. */
  async verify(call?: RailCall): Promise<VerificationAnswer> {
    const answer = await this.client.readBalance(call?.signal);
    if (answer.kind === 'done')
      return { kind: 'works', account: codeTold(answer.found.funding_source.id), mode: this.mode };
    if (answer.kind === 'later') return notNow(answer.afterSeconds);
    const isOurs = answer.kind === 'rejected' && (answer.status === 401 || answer.status === 403);
    const detail = detailOf(answer);
    return isOurs ? { kind: 'rejected', detail } : { kind: 'unknown', detail };
  }
}
