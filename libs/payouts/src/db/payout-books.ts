/** What else becomes true with a payout's change, in the same transaction: its client's wallet, its rows, its payee's balance. */
import { Injectable } from '@nestjs/common';
import { BalanceBook } from '#libs/balances';
import { DisbursementBook } from '#libs/owed';
import { WalletBook, walletKey } from '#libs/wallets';
import { balanceMoves } from '../balance-move';
import { owedMoves, restoredRows, rowMoves } from '../owed-move';
import type { PayoutChange } from '../payout';
import { walletMoves } from '../wallet-move';

@Injectable()
export class PayoutBooks {
  constructor(
    private readonly wallets: WalletBook,
    private readonly rows: DisbursementBook,
    private readonly balances: BalanceBook,
  ) {}

  /** Those whose wallets nobody else holds: these are locked, so that to record them waits for no wallet. */
  async free(changes: PayoutChange[]): Promise<PayoutChange[]> {
    const { busy } = await this.wallets.lockFree(walletMoves(changes));
    return changes.filter((change) => !walletMoves([change]).some((move) => busy.has(walletKey(move))));
  }

  /** In the order in which everybody locks them: wallets, rows, balances. */
  async record(changes: PayoutChange[]): Promise<void> {
    await this.wallets.move(walletMoves(changes));
    await this.rows.follow(rowMoves(changes));
    await this.restore(changes);
    await this.balances.move([...owedMoves(changes), ...balanceMoves(changes)]);
  }

  private async restore(changes: PayoutChange[]): Promise<void> {
    const rows = restoredRows(changes);
    const written = await this.rows.insert(rows);
    if (written.size !== rows.length) throw new Error('A returned payout was restored before.');
  }
}
