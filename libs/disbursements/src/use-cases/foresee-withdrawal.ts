/** What stands against a withdrawal, said before anybody asks for it: nobody should find out by trying. The withdrawal itself decides. */
import { Injectable } from '@nestjs/common';
import { MAX_AMOUNT_CENTS } from '#libs/domain';
import type { Client } from '#libs/clients';
import { DatabaseClock } from '#libs/db';
import type { TakeLimits } from '#libs/owed';
import type { Payee } from '#libs/payees';
import { PayoutReads } from '#libs/payouts';
import { limitsOf, takeLimits, WithdrawGates, type WithdrawSource } from './withdraw-gates';

/**
 * The code that the withdrawal would be refused with. cooling: they are paid by an address that was changed a short while ago. details:
 * the company that pays them has to give more of their details first, and it would be held.
 */
export type AgainstWithdrawal =
  | 'details'
  | 'client_suspended'
  | 'withdrawals_disabled'
  | 'cooling'
  | 'below_minimum_withdrawal'
  | 'above_maximum_withdrawal'
  | 'withdrawal_frequency_limited';

export interface WithdrawOutlook {
  /** null: nothing is known to be. */
  against: AgainstWithdrawal | null;
  minCents: number;
  maxCents: number;
  /** When they can again, as far as time alone is against it. */
  nextAt: Date | null;
}

@Injectable()
export class ForeseeWithdrawal {
  constructor(
    private readonly gates: WithdrawGates,
    private readonly payouts: PayoutReads,
    private readonly clock: DatabaseClock,
  ) {}

  /** `sums`: what they could withdraw, by currency. Of somebody who can be paid. */
  async run(client: Client, payee: Payee, sums: number[], source: WithdrawSource = 'portal'): Promise<WithdrawOutlook> {
    const { enabled, minIntervalSeconds = 0 } = limitsOf(client, source);
    const limits = takeLimits(client, source);
    const coolsUntil = this.gates.waitsUntil(client, payee);
    const restsUntil = minIntervalSeconds > 0 ? await this.restsUntil(payee, minIntervalSeconds) : null;
    const said = (against: AgainstWithdrawal | null, nextAt: Date | null = null): WithdrawOutlook => ({
      ...limits,
      against,
      nextAt,
    });
    if (client.status !== 'active') return said('client_suspended');
    if (enabled === false) return said('withdrawals_disabled');
    if (coolsUntil) return said('cooling', coolsUntil);
    const ofAmounts = againstAmounts(sums, limits, client);
    if (ofAmounts) return said(ofAmounts);
    return restsUntil ? said('withdrawal_frequency_limited', restsUntil) : said(null);
  }

  private async restsUntil({ id }: Payee, interval: number): Promise<Date | null> {
    const seconds = await this.payouts.secondsToNextWithdrawal(id, interval);
    return seconds > 0 ? new Date(this.clock.now().getTime() + seconds * 1_000) : null;
  }
}

/** One that is within the limits goes out, whatever the others are. */
function againstAmounts(
  sums: number[],
  { minCents, maxCents }: TakeLimits,
  { prepaid }: Client,
): AgainstWithdrawal | null {
  if (sums.length === 0) return null;
  const enough = sums.map((cents) => Math.min(cents, MAX_AMOUNT_CENTS)).filter((cents) => cents >= minCents);
  if (enough.length === 0) return 'below_minimum_withdrawal';
  return enough.every((cents) => isTooMuch(cents, maxCents, prepaid)) ? 'above_maximum_withdrawal' : null;
}

/** How much of it a wallet covers nobody knows yet. */
const isTooMuch = (cents: number, maxCents: number, prepaid: boolean): boolean => !prepaid && cents > maxCents;

/** The limits apply per currency: an amount outside them stays owed, while other currencies may leave. */
export function staysOwed(
  cents: number,
  { minCents, maxCents }: TakeLimits,
  { prepaid }: Pick<Client, 'prepaid'>,
): boolean {
  const most = Math.min(cents, MAX_AMOUNT_CENTS);
  return most < minCents || isTooMuch(most, maxCents, prepaid);
}
