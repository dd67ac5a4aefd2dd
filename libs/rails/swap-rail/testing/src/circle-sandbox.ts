/** Circle's developer-controlled wallets, simulated: real HTTP on loopback, real balances, and whatever goes wrong on request. */
import type { Clock } from '#libs/rail-kit';
import {
  type DiskBooks,
  diskBooks,
  type Faults,
  type Notice,
  NoticeSender,
  type SandboxAnswer,
  type SandboxRequest,
  SandboxServer,
  type SimulatedProvider,
} from '#libs/provider-sandbox';
import { backReference, drainReference, referenceOf } from '../../src/references';
import { CircleApi } from './circle-api';
import { CircleBooks, type CircleState, type CircleTransaction, type CircleWallet, type Fate } from './circle-books';
import { deedsAt } from './circle-deeds';
import { newKeys } from './circle-keys';
import { forged, noticeOf } from './circle-notices';
import { BLOCKCHAIN, TOKEN_ID } from './circle-words';

export interface CircleSandboxOptions {
  apiKey: string;
  /** In hexadecimal. */
  entitySecret: string;
  clock: Clock;
  /** Where its notices go; nowhere if nothing is said. */
  noticesUrl?: string | null;
  /** How long a transfer takes. */
  processedAfterMs?: number;
  treasuryCents?: number;
  /** Where the books are kept; in memory if nothing is said. */
  file?: string | null;
  watch?(request: SandboxRequest, answer: SandboxAnswer): void;
}

/** What time does is done though nobody asks. */
const LOOKS_EVERY_MS = 250;
const UNITS_IN_A_CENT = 10_000;
const TREASURY = 'treasury';

const EMPTY = { walletSets: [], wallets: [], transactions: [], balances: {}, fates: {}, subscriptions: [] };

export class CircleSandbox implements SimulatedProvider {
  readonly faults: Faults;
  readonly books: CircleBooks;
  readonly deeds: SimulatedProvider['deeds'];
  private readonly disk: DiskBooks<CircleState>;
  private readonly server: SandboxServer;
  private readonly notices: NoticeSender;
  private readonly misbooked = new Map<string, number>();
  private url = '';
  private looking?: NodeJS.Timeout;

  constructor(private readonly options: CircleSandboxOptions) {
    const { apiKey, entitySecret, clock, file = null, noticesUrl = null, treasuryCents = 10_000_000 } = options;
    const empty = { ...structuredClone(EMPTY), noticesUrl, stored: {}, ciphertexts: [], keys: newKeys() };
    this.disk = diskBooks<CircleState>(empty, file);
    const { state } = this.disk;
    const now = (): Date => clock.now();
    this.books = new CircleBooks(state, now, (transaction) => this.tell(transaction));
    if (state.wallets.length === 0) {
      const { id: setId } = this.books.openSet();
      this.books.open({ setId, blockchain: BLOCKCHAIN, accountType: 'SCA', refId: TREASURY });
      this.fund(treasuryCents);
    }
    this.deeds = deedsAt(this);
    const api = new CircleApi({
      ...{ state, books: this.books, apiKey, entitySecret, now },
      misbook: (refId, units) => units + (this.misbooked.get(referenceOf(refId)?.railKey ?? '') ?? 0),
    });
    this.server = new SandboxServer({ answer: (request) => this.answer(request, api), watch: options.watch });
    this.faults = this.server.faults;
    this.notices = new NoticeSender(this.faults, forged);
  }

  async start(port?: number): Promise<string> {
    this.url = await this.server.start(port);
    this.looking = setInterval(() => this.catchUp(), LOOKS_EVERY_MS).unref();
    return this.url;
  }

  async stop(): Promise<void> {
    clearInterval(this.looking);
    await this.server.stop();
    await this.notices.stop();
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

  get state(): CircleState {
    this.catchUp();
    return this.disk.state;
  }

  get treasury(): CircleWallet {
    const found = this.disk.state.wallets.find(({ refId }) => refId === TREASURY);
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
    if (fate) this.disk.state.fates[word] = fate;
    else delete this.disk.state.fates[word];
    this.disk.save();
  }

  fund(cents: number): void {
    this.disk.state.balances[this.treasury.address.toLowerCase()] = cents * UNITS_IN_A_CENT;
    this.disk.save();
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

  /** Books so many millionths more, or less, than it is asked to. */
  misbooks(railKey: string, units: number): void {
    this.misbooked.set(railKey, units);
  }

  tellsAt(url: string | null): void {
    this.disk.state.noticesUrl = url;
    this.disk.save();
  }

  /** As it is told about what changed. */
  notice(transaction: CircleTransaction): Notice {
    return noticeOf(transaction, this.disk.state, this.options.clock.now());
  }

  private answer(request: SandboxRequest, api: CircleApi): SandboxAnswer {
    this.catchUp();
    const answer = api.answer(request);
    this.catchUp();
    if (request.method !== 'GET') this.disk.save();
    return answer;
  }

  private referenceOf({ refId }: CircleTransaction): { railKey: string; number: number } {
    const reference = referenceOf(refId ?? undefined);
    if (!reference) throw new Error('It is no transfer of a payout.');
    return reference;
  }

  private walletAt(address: string): CircleWallet {
    const found = this.disk.state.wallets.find((wallet) => wallet.address === address);
    if (!found) throw new Error('It went to no wallet of this entity.');
    return found;
  }

  private catchUp(): void {
    this.books.catchUp(this.options.processedAfterMs ?? 0);
  }

  private tell(transaction: CircleTransaction): void {
    this.disk.save();
    this.notices.tell(this.disk.state.noticesUrl, this.notice(transaction));
  }
}
