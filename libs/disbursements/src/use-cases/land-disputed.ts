/**
 * The books of money that arrived after its payout had failed here, or came back after that: the payee's balance, and a
 * prepaid client's wallet.
 */
import { Injectable } from '@nestjs/common';
import { BalanceBook, type Bucket } from '#libs/balances';
import { type Drift, DriftBook } from '#libs/drift';
import type { Payout } from '#libs/payout-rules';
import { PayoutReads } from '#libs/payouts';
import { WalletBook } from '#libs/wallets';

@Injectable()
export class LandDisputed {
  constructor(
    private readonly balances: BalanceBook,
    private readonly wallets: WalletBook,
    private readonly reads: PayoutReads,
    private readonly differences: DriftBook,
  ) {}

  /** Before anything of its payee's balance is written: everybody locks wallets first. */
  async holdWallet(payout: Payout): Promise<void> {
    if (payout.prepaid) await this.wallets.lockAvailable([payout]);
  }

  /**
   * All of its money moved, and settles so much of what is owed. Comes before the finding is written. Rows of it that other payouts paid
   * moved twice, and stay named until the money is recovered.
   */
  async run(payout: Payout, cents: number, drift: Drift): Promise<void> {
    const { id, payeeId, currency, amountCents } = payout;
    const landed = await this.reads.hasLanded(id);
    // The wallet got its money back when the payout failed; it may have been spent since.
    if (!landed) await this.adjust(payout, -amountCents, drift, `payout ${id} was paid after all`);
    await this.balances.move([{ payeeId, currency, cents, from: owedIn(payout), to: 'landedCents' }]);
    if (!landed && cents < amountCents)
      await this.differences.record([{ ...drift, kind: 'amount_differs', railCents: amountCents, ourCents: cents }]);
  }

  /** The bank's fee is charged to the wallet, as with any payout that comes back. */
  async back(payout: Payout, cents: number, drift: Drift): Promise<void> {
    const { id, payeeId, currency, amountCents } = payout;
    const kept = Math.min(drift.liftingFeeCents ?? 0, amountCents);
    await this.adjust(payout, amountCents - kept, drift, `payout ${id} came back; the bank kept ${kept} cents`);
    await this.balances.move([{ payeeId, currency, cents, from: 'landedCents', to: owedIn(payout) }]);
  }

  private async adjust({ clientId, currency, prepaid }: Payout, amountCents: number, drift: Drift, note: string) {
    if (!prepaid || amountCents === 0) return;
    await this.wallets.post({
      ...{ clientId, type: 'adjustment', currency, amountCents, reference: `drift:${drift.id}`, note },
    });
  }
}

/** A failed payout that no rows stand behind is in no other bucket. */
const owedIn = ({ consolidates }: Payout): Bucket | undefined => (consolidates ? 'withdrawableCents' : undefined);
