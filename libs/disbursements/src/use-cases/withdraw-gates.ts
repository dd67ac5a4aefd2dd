/** Whether a payee's owed money may be withdrawn now: the client's policy, then the payee, then the amounts. */
import { Injectable } from '@nestjs/common';
import { MAX_AMOUNT_CENTS, Refusal } from '#libs/domain';
import type { Client, WithdrawLimits } from '#libs/auth';
import type { Payee } from '#libs/payees';
import { PayoutReads } from '#libs/payouts';
import type { Owed } from '../db/disbursement.reads';

export const WITHDRAW_SOURCES = ['withdraw', 'portal'] as const;
export type WithdrawSource = (typeof WITHDRAW_SOURCES)[number];

@Injectable()
export class WithdrawGates {
  constructor(private readonly payouts: PayoutReads) {}

  /** What may be released, by currency. Limits are compared currency by currency; what is outside of them stays owed. */
  async check(client: Client, payee: Payee, source: WithdrawSource, owed: Owed[]): Promise<Owed[]> {
    const limits = limitsOf(client, source);
    if (client.status === 'closed') throw new Refusal('payer_not_found', 'The client is closed.');
    if (limits.enabled === false) throw new Refusal('withdrawals_disabled', 'The client does not allow withdrawals.');
    if (!payee.payable)
      throw new Refusal('payee_not_payable', 'The payee cannot be paid yet; its readiness says what is missing.');
    if (owed.length === 0) throw new Refusal('nothing_to_withdraw', 'Nothing is owed to the payee.');
    const within = withinLimits(owed, limits);
    await this.refuseTooOften(payee, limits);
    return within;
  }

  /** One payout cannot be larger than any payout can be; the rest waits to be withdrawn. */
  payableAtOnce(owed: Owed[]): Owed[] {
    return owed.filter(({ cents }) => cents <= MAX_AMOUNT_CENTS);
  }

  private async refuseTooOften(payee: Payee, { minIntervalSeconds = 0 }: WithdrawLimits): Promise<void> {
    if (minIntervalSeconds === 0 || !(await this.payouts.withdrewWithin(payee.id, minIntervalSeconds))) return;
    throw new Refusal(
      'withdrawal_frequency_limited',
      `The payee withdrew less than ${minIntervalSeconds} seconds ago; try again later.`,
    );
  }
}

/** A source's own values win. */
function limitsOf({ withdrawPolicy: { perSource, ...common } }: Client, source: WithdrawSource): WithdrawLimits {
  return { ...common, ...perSource?.[source] };
}

function withinLimits(owed: Owed[], { minCents = 0, maxCents = MAX_AMOUNT_CENTS }: WithdrawLimits): Owed[] {
  const most = Math.min(maxCents, MAX_AMOUNT_CENTS);
  const enough = owed.filter(({ cents }) => cents >= minCents);
  if (enough.length === 0)
    throw new Refusal('below_minimum_withdrawal', `A withdrawal must be at least ${minCents} cents.`);
  const within = enough.filter(({ cents }) => cents <= most);
  if (within.length === 0) throw new Refusal('above_maximum_withdrawal', `A withdrawal must be at most ${most} cents.`);
  return within;
}
