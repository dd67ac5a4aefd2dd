/**
 * The book of prepaid money. Payouts lock a wallet before they look at what it covers and move its totals in the
 * transaction of their own change, so that it can never be spent twice and costs the same after any number of payouts.
 */
import { Injectable } from '@nestjs/common';
import { newId, Refusal } from '#libs/domain';
import { Db } from '#libs/db';
import { Jobs } from '#libs/jobs';
import { WalletStore } from '../db/wallet.store';
import { availableCents, frees, summed, type WalletEntry, walletKey, type WalletKey, type WalletMove } from '../wallet';

export type NewEntry = Omit<WalletEntry, 'id' | 'createdAt'>;

export interface PostedEntry {
  entry: WalletEntry;
  duplicate: boolean;
}

@Injectable()
export class WalletBook {
  constructor(
    private readonly db: Db,
    private readonly store: WalletStore,
    private readonly jobs: Jobs,
  ) {}

  /** How much these wallets cover, locked until the caller's transaction ends. */
  async lockAvailable(keys: WalletKey[]): Promise<Map<string, number>> {
    if (keys.length === 0) return new Map();
    const wallets = await this.store.lockAll(keys);
    return new Map(wallets.map((wallet) => [walletKey(wallet), availableCents(wallet)]));
  }

  /** The same of those that nobody else holds; the others are named. */
  async lockFree(keys: WalletKey[]): Promise<{ available: Map<string, number>; busy: Set<string> }> {
    if (keys.length === 0) return { available: new Map(), busy: new Set() };
    const { free, busy } = await this.store.lockFree(keys);
    return {
      available: new Map(free.map((wallet) => [walletKey(wallet), availableCents(wallet)])),
      busy: new Set(busy.map(walletKey)),
    };
  }

  /** Part of the transaction that changes the payouts; whoever waits for funds that come back is looked at again. */
  async move(moves: WalletMove[]): Promise<void> {
    const sums = summed(moves);
    if (sums.length === 0) return;
    await this.store.move(sums);
    await this.wake(sums.filter(frees).map(({ clientId }) => clientId));
  }

  /** Once per reference, however often it is posted. */
  post(entry: NewEntry, id = newId()): Promise<PostedEntry> {
    return this.db.inTransaction(async () => {
      const inserted = await this.store.insertEntry({ ...entry, id });
      if (inserted) {
        await this.wake([entry.clientId]);
        return { entry: inserted, duplicate: false };
      }
      const original = await this.store.entryOf(entry.clientId, entry.reference);
      if (!original) throw new Error(`The wallet entry ${entry.reference} is gone.`);
      if (!isSame(original, entry))
        throw new Refusal('idempotency_conflict', 'This reference belongs to another entry of the wallet.');
      return { entry: original, duplicate: true };
    });
  }

  /** The entry that stands under this reference, if it is the same one. */
  async posted(entry: NewEntry, id: string): Promise<PostedEntry | null> {
    const original = await this.store.entryOf(entry.clientId, entry.reference);
    return original && isSame(original, entry) ? { entry: original, duplicate: original.id !== id } : null;
  }

  private wake(clientIds: string[]): Promise<void> {
    return this.jobs.tell(
      'wallet.funded',
      [...new Set(clientIds)].map((clientId) => ({ entityId: clientId, lane: clientId })),
    );
  }
}

function isSame(original: WalletEntry, { type, currency, amountCents }: NewEntry): boolean {
  return original.type === type && original.currency === currency && original.amountCents === amountCents;
}
