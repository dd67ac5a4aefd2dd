/** Whether a payee's owed money may be withdrawn now: the client's policy, then the payee, then the amounts. */
import { Injectable } from '@nestjs/common';
import { MAX_AMOUNT_CENTS, Refusal } from '#libs/domain';
import type { Client, WithdrawLimits } from '#libs/clients';
import type { Owed, TakeLimits } from '#libs/owed';
import { CoolDown, type Payee } from '#libs/payees';
import { PayoutReads } from '#libs/payouts';

export const WITHDRAW_SOURCES = ['withdraw', 'portal'] as const;
export type WithdrawSource = (typeof WITHDRAW_SOURCES)[number];

@Injectable()
export class WithdrawGates {
  constructor(
    private readonly payouts: PayoutReads,
    private readonly coolDown: CoolDown,
  ) {}

  /**
   * Limits are compared currency by currency; what is outside of them stays owed, and one that is within goes out. Answers
   * what still refuses a prepaid client once its amounts, which come first, are certain.
   */
  async check(
    client: Client,
    payee: Payee,
    source: WithdrawSource,
    { owed, waiting }: { owed: Owed[]; waiting: boolean },
  ): Promise<Refusal | null> {
    const limits = limitsOf(client, source);
    if (client.status === 'closed') throw new Refusal('payer_not_found', 'The client is closed.');
    if (limits.enabled === false) throw new Refusal('withdrawals_disabled', 'The client does not allow withdrawals.');
    if (!payee.payable)
      throw new Refusal('payee_not_payable', 'The payee cannot be paid yet; its readiness says what is missing.');
    if (!this.isOpenTo(client, payee)) throw new Refusal('payee_not_payable', COOLING);
    if (owed.length === 0)
      throw new Refusal('nothing_to_withdraw', waiting ? WAITING : 'Nothing is owed to the payee.');
    if (!client.prepaid) refuseOutside(owed, takeLimits(client, source));
    const tooOften = await this.tooOften(payee, limits);
    if (tooOften && !client.prepaid) throw tooOften;
    return tooOften;
  }

  /** What is owed goes to no address that was changed a short while ago. */
  isOpenTo(client: Client, payee: Payee): boolean {
    return payee.payable && !this.coolDown.isRedirected(client, payee);
  }

  waitsUntil(client: Client, payee: Payee): Date | null {
    return this.coolDown.isRedirected(client, payee) ? this.coolDown.redirectedUntil(client, payee) : null;
  }

  private async tooOften(payee: Payee, { minIntervalSeconds = 0 }: WithdrawLimits): Promise<Refusal | null> {
    if (minIntervalSeconds === 0) return null;
    const left = await this.payouts.secondsToNextWithdrawal(payee.id, minIntervalSeconds);
    if (left === 0) return null;
    return new Refusal('withdrawal_frequency_limited', `The payee can withdraw again in ${left} seconds.`);
  }
}

const COOLING = 'The e-mail address that the payee is paid by changed a short while ago. Try again later.';
const WAITING =
  'What is owed waits: its rail has to say first what became of an earlier payout of it. Try again later, or ask the operator.';

/** A source's own values win. */
function limitsOf({ withdrawPolicy: { perSource, ...common } }: Client, source: WithdrawSource): WithdrawLimits {
  return { ...common, ...perSource?.[source] };
}

export function takeLimits(client: Client, source: WithdrawSource): TakeLimits {
  const { minCents = 0, maxCents = Number.MAX_SAFE_INTEGER } = limitsOf(client, source);
  return { minCents, maxCents };
}

/** What a wallet covers is known only where the rows are taken; everybody else hears at once what is wrong. */
function refuseOutside(owed: Owed[], { minCents, maxCents }: TakeLimits): void {
  const sums = owed.map(({ cents }) => Math.min(cents, MAX_AMOUNT_CENTS));
  const enough = sums.filter((cents) => cents >= minCents);
  if (enough.length === 0) throw belowMinimum(minCents);
  if (enough.every((cents) => cents > maxCents)) throw aboveMaximum(maxCents);
}

export const belowMinimum = (minCents: number): Refusal =>
  new Refusal('below_minimum_withdrawal', `A withdrawal must be at least ${minCents} cents.`);

export const aboveMaximum = (maxCents: number): Refusal =>
  new Refusal('above_maximum_withdrawal', `A withdrawal must be at most ${maxCents} cents.`);
