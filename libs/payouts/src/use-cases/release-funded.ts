/** Releases payouts that wait for funds, the oldest that fit: a wallet or a rail's own account got more, or their client is no longer prepaid. */
import { Injectable } from '@nestjs/common';
import { ClientRegistry } from '#libs/clients';
import { apart } from '#libs/db';
import { RailCaller } from '#libs/rail-registry';
import { availableCents, WalletReads } from '#libs/wallets';
import { type Fitting, HeldReads, type Waiting } from '../db/held.reads';
import { ReleaseHeld } from './release-held';

/** Each in a transaction of its own: then others have their turn. */
const MOST_LOOKS = 200;

interface Spent {
  released: number;
  /** More may fit. */
  isMore: boolean;
}

@Injectable()
export class ReleaseFunded {
  constructor(
    private readonly reads: HeldReads,
    private readonly wallets: WalletReads,
    private readonly caller: RailCaller,
    private readonly held: ReleaseHeld,
    private readonly clients: ClientRegistry,
  ) {}

  async ofEveryClient(): Promise<number> {
    let count = 0;
    for (const { clientId } of await this.reads.clientsShortOfFunds())
      count += (await apart({ event: 'client.not_released', clientId }, () => this.ofClient(clientId)))?.released ?? 0;
    return count;
  }

  async ofClient(clientId: string): Promise<Spent> {
    const client = await this.clients.stored(clientId);
    const waiting = (currency: string | null) => (fitting: Fitting) =>
      this.reads.waitingForWallet(clientId, currency, fitting);
    if (!client?.prepaid) return this.spend(Number.MAX_SAFE_INTEGER, waiting(null));
    const spent: Spent = { released: 0, isMore: false };
    for (const wallet of await this.wallets.of(clientId)) {
      const { released, isMore } = await this.spend(availableCents(wallet), waiting(wallet.currency));
      spent.released += released;
      spent.isMore ||= isMore;
    }
    return spent;
  }

  /** Only rails that tell what they have can be waited for; on others an operator or the client releases. */
  async ofRails(): Promise<number> {
    let count = 0;
    for (const { provider: rail } of await this.reads.railsShortOfFunds())
      count += (await apart({ event: 'rail.not_released', rail }, () => this.ofRail(rail))) ?? 0;
    return count;
  }

  private async ofRail(provider: string): Promise<number> {
    let count = 0;
    for (const { currency, availableCents: cents } of (await this.caller.funding(provider)) ?? [])
      count += (await this.spend(cents, (fitting) => this.reads.waitingForRail(provider, currency, fitting))).released;
    return count;
  }

  /** Goes on for as long as anything comes of it; what stays as it is makes room for others. */
  private async spend(cents: number, waiting: (fitting: Fitting) => Promise<Waiting[]>): Promise<Spent> {
    const fitting: Fitting = { cents, without: [] };
    const so = { looks: 0, released: 0 };
    for (let moved = true; moved && so.looks < MOST_LOOKS;)
      moved = await this.portion(await waiting(fitting), fitting, so);
    return { released: so.released, isMore: so.looks >= MOST_LOOKS };
  }

  /** Returns whether anything came of it. */
  private async portion(found: Waiting[], fitting: Fitting, so: { looks: number; released: number }): Promise<boolean> {
    let moved = false;
    for (const { id, payeeId, amountCents } of found) {
      if (amountCents > fitting.cents || so.looks >= MOST_LOOKS) continue;
      const went = await this.held.funded(payeeId, id);
      moved ||= went !== 'held';
      // What stays would be the first again the next time.
      if (went !== 'stays') so.looks += 1;
      if (went === 'soon' || went === 'stays') fitting.without.push(id);
      if (went === 'on') so.released += 1;
      if (went === 'on' || went === 'soon') fitting.cents -= amountCents;
    }
    return moved;
  }
}
