/** The books of money that arrived after its payout had failed here: the payee's balance, and a prepaid client's wallet. */
import { Injectable } from '@nestjs/common';
import { BalanceBook } from '#libs/balances';
import type { Drift, Payout } from '#libs/payouts';
import { WalletBook } from '#libs/wallets';

@Injectable()
export class LandDisputed {
  constructor(
    private readonly balances: BalanceBook,
    private readonly wallets: WalletBook,
  ) {}

  async run({ id, clientId, payeeId, currency, prepaid }: Payout, cents: number, drift: Drift): Promise<void> {
    await this.balances.move([{ payeeId, currency, cents, from: 'withdrawableCents', to: 'landedCents' }]);
    if (!prepaid) return;
    // The wallet got its money back when the payout failed; it may have been spent since.
    await this.wallets.post({
      ...{ clientId, type: 'adjustment', currency, amountCents: -cents, reference: `drift:${drift.id}` },
      note: `payout ${id} was paid after all`,
    });
  }
}
