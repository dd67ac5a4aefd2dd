/** What else becomes true with a payout's change, in the same transaction: its client's wallet, its payee's balance, its rows. */
import { Injectable } from '@nestjs/common';
import { BalanceBook } from '#libs/balances';
import { WalletBook, walletKey } from '#libs/wallets';
import { balanceMoves } from '../balance-move';
import type { PayoutChange } from '../payout';
import { walletMoves } from '../wallet-move';

export type Follower = (changes: PayoutChange[]) => Promise<void>;

@Injectable()
export class PayoutBooks {
  private readonly followers: Follower[] = [];

  constructor(
    private readonly wallets: WalletBook,
    private readonly balances: BalanceBook,
  ) {}

  /** Runs in the transaction of every change: for what has to follow a payout without a moment between. */
  follow(follower: Follower): void {
    this.followers.push(follower);
  }

  /** Those whose wallets nobody else holds: these are locked, so that to record them waits for no wallet. */
  async free(changes: PayoutChange[]): Promise<PayoutChange[]> {
    const { busy } = await this.wallets.lockFree(walletMoves(changes));
    return changes.filter((change) => !walletMoves([change]).some((move) => busy.has(walletKey(move))));
  }

  /** Wallets are locked first, then what follows; balances are moved when the transaction ends. */
  async record(changes: PayoutChange[]): Promise<void> {
    await this.wallets.move(walletMoves(changes));
    for (const follower of this.followers) await follower(changes);
    await this.balances.move(balanceMoves(changes));
  }
}
