/** Circle's developer-controlled wallets, simulated: real HTTP on loopback, real balances, and whatever goes wrong on request. */
import type { Clock } from '#libs/rail-kit';
import {
  type Notice,
  type SandboxAnswer,
  type SandboxRequest,
  ServedProvider,
  type ServingOptions,
  type SimulatedProvider,
} from '#libs/provider-sandbox';
import { backReference, drainReference, referenceOf } from '../../src/references';
import { CircleApi } from './circle-api';
import { CircleBooks, type CircleState, type CircleTransaction, type CircleWallet, type Fate } from './circle-books';
import { deedsAt } from './circle-deeds';
import { newKeys } from './circle-keys';
import { forged, noticeOf } from './circle-notices';
import { BLOCKCHAIN, TOKEN_ID } from './circle-words';

export interface CircleSandboxOptions extends ServingOptions {
  apiKey: string;
  /** In hexadecimal. */
  entitySecret: string;
  clock: Clock;
  /** How long a transfer takes. */
  processedAfterMs?: number;
  treasuryCents?: number;
}

const UNITS_IN_A_CENT = 10_000;
const TREASURY = 'treasury';

const EMPTY = { walletSets: [], wallets: [], transactions: [], balances: {}, fates: {}, subscriptions: [] };

export class CircleSandbox extends ServedProvider<CircleState> {
  readonly books: CircleBooks;
  readonly deeds: SimulatedProvider['deeds'];
  private readonly api: CircleApi;

  constructor(private readonly options: CircleSandboxOptions) {
    const { apiKey, entitySecret, clock, noticesUrl = null, treasuryCents = 10_000_000 } = options;
    const empty = { ...structuredClone(EMPTY), noticesUrl, stored: {}, ciphertexts: [], keys: newKeys() };
    super({ ...options, empty, forge: forged });
    const { kept: state } = this;
    const now = (): Date => clock.now();
    this.books = new CircleBooks(state, now, (transaction) => this.send(this.notice(transaction)));
    if (state.wallets.length === 0) {
      const { id: setId } = this.books.openSet();
      this.books.open({ setId, blockchain: BLOCKCHAIN, accountType: 'SCA', refId: TREASURY });
      this.fund(treasuryCents);
    }
    this.deeds = deedsAt(this);
    this.api = new CircleApi({
      ...{ state, books: this.books, apiKey, entitySecret, now },
      misbook: (refId, units) => units + this.misbookedBy(referenceOf(refId)?.railKey ?? ''),
    });
  }

  settings(): Record<string, string> {
    return {
      SWAP_RAIL_API_KEY: this.options.apiKey,
      SWAP_RAIL_ENTITY_SECRET: this.options.entitySecret,
      SWAP_RAIL_TREASURY_WALLET_ID: this.treasury.id,
      SWAP_RAIL_TOKEN_ID: TOKEN_ID,
      SWAP_RAIL_BASE_URL: this.url,
    };
  }

  shown(): Omit<CircleState, 'stored' | 'ciphertexts' | 'keys'> {
    const { stored: _, ciphertexts: __, keys: ___, ...shown } = this.state;
    return shown;
  }

  get treasury(): CircleWallet {
    const found = this.kept.wallets.find(({ refId }) => refId === TREASURY);
    if (!found) throw new Error('The treasury is gone.');
    return found;
  }

  /** Those of a payout, the oldest first. */
  transactionsOf(railKey: string, kind: 'pay' | 'drain' | 'back'): CircleTransaction[] {
    return this.state.transactions.filter(({ refId }) => {
      const reference = referenceOf(refId ?? undefined);
      return reference?.railKey === railKey && reference.kind === kind;
    });
  }

  walletsOf(payeeId: string): CircleWallet[] {
    return this.state.wallets.filter(({ refId }) => refId === payeeId);
  }

  /** What transactions with this word in their reference come to; null: whatever time brings. */
  destines(word: string, fate: Fate | null): void {
    if (fate) this.kept.fates[word] = fate;
    else delete this.kept.fates[word];
    this.save();
  }

  fund(cents: number): void {
    this.kept.balances[this.treasury.address.toLowerCase()] = cents * UNITS_IN_A_CENT;
    this.save();
  }

  /** By an operator, in Circle's console: what a first leg brought goes back to the treasury. */
  takesBack(leg: CircleTransaction): CircleTransaction {
    const { railKey, number } = this.referenceOf(leg);
    const back = { to: this.treasury.address, refId: backReference(railKey, number) };
    return this.books.transfer({ ...back, walletId: this.walletAt(leg.to).id, units: leg.units });
  }

  /** The same to an address. */
  sendsOn(leg: CircleTransaction, to: string): CircleTransaction {
    const { railKey, number } = this.referenceOf(leg);
    const on = { to, refId: drainReference(railKey, number, 'by-hand') };
    return this.books.transfer({ ...on, walletId: this.walletAt(leg.to).id, units: leg.units });
  }

  /** As it is told about what changed. */
  notice(transaction: CircleTransaction): Notice {
    return noticeOf(transaction, this.kept, this.options.clock.now());
  }

  protected answer(request: SandboxRequest): SandboxAnswer {
    return this.api.answer(request);
  }

  private referenceOf({ refId }: CircleTransaction): { railKey: string; number: number } {
    const reference = referenceOf(refId ?? undefined);
    if (!reference) throw new Error('It is no transfer of a payout.');
    return reference;
  }

  private walletAt(address: string): CircleWallet {
    const found = this.kept.wallets.find((wallet) => wallet.address === address);
    if (!found) throw new Error('It went to no wallet of this entity.');
    return found;
  }

  protected catchUp(): void {
    this.books.catchUp(this.options.processedAfterMs ?? 0);
  }
}
