/** A payee's balance in one currency, with the floor that money held below it must reach. */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import type { Client } from '#libs/clients';
import { type Balance, BalanceBook, emptyBalance } from '#libs/balances';
import { PayeeReads } from '#libs/payees';
import { PayoutGates, PayoutReads } from '#libs/payouts';

export type BalanceSheet = Omit<Balance, 'payeeId'> & { minPayoutCents: number; provider: string | null };

@Injectable()
export class ReadBalance {
  constructor(
    private readonly payees: PayeeReads,
    private readonly balances: BalanceBook,
    private readonly payouts: PayoutReads,
    private readonly gates: PayoutGates,
  ) {}

  async run(client: Client, payeeId: string, currency: string | null): Promise<BalanceSheet> {
    const payee = await this.payees.find(client.id, payeeId);
    if (!payee) throw new Refusal('payee_not_found');
    const balance = await this.balanceOf(client, payeeId, currency);
    const { withdrawableCents, onTheWayCents, actionNeededCents, landedCents, heldBelowMinimumCents } = balance;
    const heldOn = heldBelowMinimumCents > 0 ? await this.payouts.railBelowMinimum(payeeId, balance.currency) : null;
    return {
      ...{ withdrawableCents, onTheWayCents, actionNeededCents, landedCents, heldBelowMinimumCents },
      minPayoutCents: this.gates.floorOf(client, heldOn ?? payee.provider, balance.currency),
      provider: payee.provider,
      currency: balance.currency,
    };
  }

  private async balanceOf(client: Client, payeeId: string, currency: string | null): Promise<Balance> {
    const known = currency ? await this.balances.of(payeeId, currency) : await this.balances.newestOf(payeeId);
    return known ?? emptyBalance({ payeeId, currency: currency ?? client.defaultCurrency });
  }
}
