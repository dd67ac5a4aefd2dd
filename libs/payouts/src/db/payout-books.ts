/** Everything that changes together with a payout, in the same transaction: its client's wallet, its rows, its payee's balance. */
import { Injectable } from '@nestjs/common';
import { BalanceBook } from '#libs/balances';
import { DisbursementBook, type NewRow } from '#libs/owed';
import { type PayoutChange, walletMoves, whatFollows } from '#libs/payout-rules';
import { WalletBook, walletKey } from '#libs/wallets';

@Injectable()
export class PayoutBooks {
  constructor(
    private readonly wallets: WalletBook,
    private readonly rows: DisbursementBook,
    private readonly balances: BalanceBook,
  ) {}

  /** Locks the wallets that nobody else holds. Returns the changes that can be written without waiting for another. */
  async lockFreeWallets(changes: PayoutChange[]): Promise<PayoutChange[]> {
    const { busy } = await this.wallets.lockFree(walletMoves(changes));
    return changes.filter((change) => !walletMoves([change]).some((move) => busy.has(walletKey(move))));
  }

  /** In the order in which everybody locks them: wallets, rows, balances. */
  async record(changes: PayoutChange[]): Promise<void> {
    const { wallets, rows, restored, balances } = whatFollows(changes);
    await this.wallets.move(wallets);
    await this.rows.follow(rows);
    await this.restore(restored);
    await this.balances.move(balances);
  }

  private async restore(rows: NewRow[]): Promise<void> {
    const written = await this.rows.insert(rows);
    if (written.size !== rows.length) throw new Error('A returned payout was restored before.');
  }
}
