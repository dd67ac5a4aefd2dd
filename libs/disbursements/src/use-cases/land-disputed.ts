/**
 * The books of money that arrived after its payout had failed here, or came back after that: the payee's balance, and a
 * prepaid client's wallet.
 */
import { Injectable } from '@nestjs/common';
import { BalanceBook, type Bucket } from '#libs/balances';
import type { Drift, Payout } from '#libs/payouts';
import { WalletBook } from '#libs/wallets';

@Injectable()
export class LandDisputed {
  constructor(
    private readonly balances: BalanceBook,
    private readonly wallets: WalletBook,
  ) {}

  async run(payout: Payout, cents: number, drift: Drift): Promise<void> {
    const { id, payeeId, currency } = payout;
    await this.balances.move([{ payeeId, currency, cents, from: owedIn(payout), to: 'landedCents' }]);
    // The wallet got its money back when the payout failed; it may have been spent since.
    await this.adjust(payout, -cents, drift, `payout ${id} was paid after all`);
  }

  /** What the bank kept stays with the wallet, as with any payout that comes back. */
  async back(payout: Payout, cents: number, drift: Drift): Promise<void> {
    const { id, payeeId, currency } = payout;
    await this.balances.move([{ payeeId, currency, cents, from: 'landedCents', to: owedIn(payout) }]);
    const kept = Math.min(drift.liftingFeeCents ?? 0, cents);
    await this.adjust(payout, cents - kept, drift, `payout ${id} came back; the bank kept ${kept} cents`);
  }

  private async adjust({ clientId, currency, prepaid }: Payout, amountCents: number, drift: Drift, note: string) {
    if (!prepaid || amountCents === 0) return;
    await this.wallets.post({
      ...{ clientId, type: 'adjustment', currency, amountCents, reference: `drift:${drift.id}`, note },
    });
  }
}

/** What no rows are owed for is in no other bucket while its payout is failed. */
const owedIn = ({ consolidates }: Payout): Bucket | undefined => (consolidates ? 'withdrawableCents' : undefined);
