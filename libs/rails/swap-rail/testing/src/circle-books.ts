/** What the simulated Circle knows: wallets, what lies at each address, transfers. Each rule of its money stands here. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { CircleKeys } from './circle-keys';

export interface CircleWallet {
  id: string;
  setId: string;
  address: string;
  blockchain: string;
  accountType: string;
  refId: string | null;
  state: 'LIVE' | 'FROZEN';
  createdAt: string;
}

export interface CircleTransaction {
  id: string;
  walletId: string;
  from: string;
  to: string;
  /** Millionths of a dollar. */
  units: number;
  refId: string | null;
  state: string;
  error: string | null;
  createdAt: string;
  updatedAt: string;
  confirmedAt: string | null;
}

/** What becomes of transfers whose reference holds a word: they stay sent, or end so once they were sent. */
export interface Fate {
  ends: 'FAILED' | 'DENIED' | 'CANCELLED' | null;
  error: string | null;
}

/** What Circle answered to a key, and to which words. */
export interface StoredAnswer {
  asked: string;
  body: unknown;
}

export interface CircleState {
  walletSets: { id: string; createdAt: string }[];
  wallets: CircleWallet[];
  transactions: CircleTransaction[];
  /** Millionths of a dollar, by address in lower case. What is not here is 0. */
  balances: Record<string, number>;
  fates: Record<string, Fate>;
  subscriptions: { id: string; endpoint: string; createdAt: string }[];
  /** Where it tells what it has to tell. */
  noticesUrl: string | null;
  stored: Record<string, StoredAnswer>;
  /** Digests of what was decrypted once. */
  ciphertexts: string[];
  keys: CircleKeys;
}

/** A call that Circle turns away, with its code. */
export class Denied extends Error {
  constructor(
    readonly code: number,
    readonly status = 400,
  ) {
    super(`Turned away: ${code}.`);
  }
}

const STAGES = ['INITIATED', 'QUEUED', 'SENT', 'CONFIRMED', 'COMPLETE'] as const;
const SENT = STAGES.indexOf('SENT');
const ENDS = ['COMPLETE', 'FAILED', 'DENIED', 'CANCELLED'];
/** The simulated network, as Circle's own testnets write addresses. */
export const isAddress = (address: string): boolean => /^0x[0-9a-fA-F]{40}$/.test(address);
export const newAddress = (): string => `0x${randomBytes(20).toString('hex')}`;

type NewTransfer = Pick<CircleTransaction, 'walletId' | 'to' | 'units' | 'refId'>;

export class CircleBooks {
  constructor(
    private readonly state: CircleState,
    private readonly now: () => Date,
    private readonly changed: (transaction: CircleTransaction) => void,
  ) {}

  openSet(): CircleState['walletSets'][number] {
    const set = { id: randomUUID(), createdAt: this.at() };
    this.state.walletSets.push(set);
    return set;
  }

  open(asked: Pick<CircleWallet, 'setId' | 'blockchain' | 'accountType' | 'refId'>): CircleWallet {
    if (!this.state.walletSets.some(({ id }) => id === asked.setId)) throw new Denied(156005, 404);
    const wallet: CircleWallet = {
      ...asked,
      id: randomUUID(),
      address: newAddress(),
      state: 'LIVE',
      createdAt: this.at(),
    };
    this.state.wallets.push(wallet);
    return wallet;
  }

  wallet(id: string): CircleWallet {
    const found = this.state.wallets.find((wallet) => wallet.id === id);
    if (!found) throw new Denied(156001, 404);
    return found;
  }

  transaction(id: string): CircleTransaction {
    const found = this.state.transactions.find((transaction) => transaction.id === id);
    if (!found) throw new Denied(156003, 404);
    return found;
  }

  balanceOf(address: string): number {
    return this.state.balances[address.toLowerCase()] ?? 0;
  }

  transfer(asked: NewTransfer): CircleTransaction {
    const wallet = this.wallet(asked.walletId);
    if (wallet.state === 'FROZEN') throw new Denied(155501);
    if (!isAddress(asked.to)) throw new Denied(155219);
    if (this.balanceOf(wallet.address) - this.underWay(wallet.id) < asked.units) throw new Denied(155258);
    const at = this.at();
    const transaction: CircleTransaction = {
      ...{ ...asked, id: randomUUID(), from: wallet.address, state: 'INITIATED', error: null },
      ...{ createdAt: at, updatedAt: at, confirmedAt: null },
    };
    this.state.transactions.push(transaction);
    this.changed(transaction);
    return transaction;
  }

  /** What was not sent, or waits, ends so now. */
  ends(transaction: CircleTransaction, state: string, error: string | null = null): void {
    if (ENDS.includes(transaction.state)) throw new Error(`What is ${transaction.state} cannot become ${state}.`);
    const at = this.at();
    Object.assign(transaction, { state, error, updatedAt: at });
    if (state === 'COMPLETE') {
      transaction.confirmedAt ??= at;
      this.give(transaction.from, -transaction.units);
      this.give(transaction.to, transaction.units);
    }
    this.changed(transaction);
  }

  /** As far as time has brought it, unless it was destined to something else. */
  catchUp(processedAfterMs: number): void {
    for (const transaction of this.state.transactions) {
      if (ENDS.includes(transaction.state)) continue;
      const age = this.now().getTime() - Date.parse(transaction.createdAt);
      const last = STAGES.length - 1;
      const stage = age >= processedAfterMs ? last : Math.floor((age / processedAfterMs) * last);
      this.moveTo(transaction, stage);
    }
  }

  private moveTo(transaction: CircleTransaction, stage: number): void {
    const { refId } = transaction;
    const [, fate] = Object.entries(this.state.fates).find(([word]) => refId?.includes(word)) ?? [];
    if (fate?.ends && stage >= SENT) return this.ends(transaction, fate.ends, fate.error);
    const state = STAGES[fate ? Math.min(stage, SENT) : stage] ?? transaction.state;
    if (state === transaction.state) return;
    if (state === 'COMPLETE') return this.ends(transaction, state);
    Object.assign(transaction, { state, updatedAt: this.at() });
    if (state === 'CONFIRMED') transaction.confirmedAt = this.at();
    this.changed(transaction);
  }

  private underWay(walletId: string): number {
    const waiting = this.state.transactions.filter((each) => each.walletId === walletId && !ENDS.includes(each.state));
    return waiting.reduce((sum, { units }) => sum + units, 0);
  }

  private give(address: string, units: number): void {
    this.state.balances[address.toLowerCase()] = this.balanceOf(address) + units;
  }

  private at(): string {
    return this.now().toISOString();
  }
}
