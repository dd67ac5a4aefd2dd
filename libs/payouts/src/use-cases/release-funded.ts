/** Releases what waits for funds, oldest first and those that fit: a client's wallet got more, or a rail's own account did. */
import { Injectable } from '@nestjs/common';
import { RailCaller } from '#libs/rail-registry';
import { availableCents, WalletReads } from '#libs/wallets';
import { HeldReads, type Waiting } from '../db/held.reads';
import { ReleaseHeld } from './release-held';

@Injectable()
export class ReleaseFunded {
  constructor(
    private readonly reads: HeldReads,
    private readonly wallets: WalletReads,
    private readonly caller: RailCaller,
    private readonly held: ReleaseHeld,
  ) {}

  async ofEveryClient(): Promise<number> {
    let count = 0;
    for (const { clientId } of await this.reads.clientsShortOfFunds()) count += await this.ofClient(clientId);
    return count;
  }

  async ofClient(clientId: string): Promise<number> {
    let count = 0;
    for (const wallet of await this.wallets.of(clientId)) {
      const waiting = (cents: number) => this.reads.waitingForWallet(clientId, wallet.currency, cents);
      count += await this.spend(availableCents(wallet), waiting);
    }
    return count;
  }

  /** Only rails that tell what they have can be waited for; on others an operator or the client releases. */
  async ofRails(): Promise<number> {
    let count = 0;
    for (const { provider } of await this.reads.railsShortOfFunds()) {
      for (const { currency, availableCents: cents } of (await this.caller.funding(provider)) ?? [])
        count += await this.spend(cents, (left) => this.reads.waitingForRail(provider, currency, left));
    }
    return count;
  }

  private async spend(cents: number, waiting: (left: number) => Promise<Waiting[]>): Promise<number> {
    let left = cents;
    let count = 0;
    for (;;) {
      let released = 0;
      for (const { id, payeeId, amountCents } of await waiting(left)) {
        if (amountCents > left || !(await this.held.funded(payeeId, id))) continue;
        left -= amountCents;
        released += 1;
      }
      count += released;
      if (released === 0) return count;
    }
  }
}
