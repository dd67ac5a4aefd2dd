/** The platform's own balance account: whether our key knows it, and what lies in it. */
import { ourAmount, type RailCall, type RailFunds, type VerificationAnswer } from '#libs/rail-kit';
import type { AdyenAnswer, AdyenClient } from './adyen.client';
import { codeOf, isAboutUs, isUnknownAccount, unanswered } from './custodial-b.mapping';

const UNAUTHORIZED = 401;

interface PlatformParts {
  client: AdyenClient;
  balancePlatform: string;
  balanceAccount: string;
  mode: 'live' | 'sandbox';
}

export class PlatformAccount {
  constructor(private readonly parts: PlatformParts) {}

  async funding(call?: RailCall): Promise<RailFunds[]> {
    const { client, balanceAccount } = this.parts;
    const answer = await client.balanceAccount(balanceAccount, call?.signal);
    if (answer.kind !== 'done') throw new Error(`Adyen told no balance: ${unanswered(answer).detail}`);
    return (answer.found.balances ?? []).flatMap(({ available, currency }) => {
      const availableCents = ourAmount(BigInt(Math.max(0, available)), currency);
      return availableCents === null ? [] : [{ currency, availableCents }];
    });
  }

  /** The account from which we pay, and the platform that it belongs to: with another one of either, nothing is sent. */
  async verify(call?: RailCall): Promise<VerificationAnswer> {
    const { client, balancePlatform, balanceAccount, mode } = this.parts;
    const account = await client.balanceAccount(balanceAccount, call?.signal);
    if (account.kind !== 'done') return rejectedOr(account);
    const holder = await client.accountHolder(account.found.accountHolderId, call?.signal);
    if (holder.kind !== 'done') return rejectedOr(holder);
    if (holder.found.balancePlatform !== balancePlatform)
      return { kind: 'rejected', detail: 'the balance account belongs to another platform' };
    const entities = await client.legalEntity(holder.found.legalEntityId, call?.signal);
    // No payee gets an account with a key that Adyen does not know. Payouts need none: whatever else it answers stops nobody.
    if (entities.kind === 'rejected' && entities.status === UNAUTHORIZED)
      return { kind: 'rejected', detail: `the key for legal entities: ${codeOf(entities.problem)}` };
    return { kind: 'works', account: `${balancePlatform}/${balanceAccount}`, mode };
  }
}

function rejectedOr(answer: Exclude<AdyenAnswer<never>, { kind: 'done' }>): VerificationAnswer {
  const isNo =
    answer.kind === 'rejected' && (isAboutUs(answer.status) || isUnknownAccount(answer.status, answer.problem));
  return isNo ? { kind: 'rejected', detail: codeOf(answer.problem) } : unanswered(answer);
}
