/** What the simulated Stripe knows: balances, accounts, transfers, payouts. Each rule of its money stands here. */
import { randomBytes } from 'node:crypto';

export interface StripeAccount {
  id: string;
  country: string;
  currency: string;
  owner: string;
  last4: string;
  /** `manual`, or Stripe empties the balance by itself. */
  interval: 'manual' | 'daily';
  /** How far its owner was checked. */
  standing: 'verified' | 'incomplete' | 'pending' | 'rejected';
  reason: string | null;
  metadata: Record<string, string>;
  createdAt: string;
  /** Smallest units, by currency in lower case. */
  balances: Record<string, number>;
}

/** A page on which an account is filled in, for one visit. */
export interface StripeLink {
  token: string;
  account: string;
  returnUrl: string;
  refreshUrl: string;
  expiresAt: string;
  used: boolean;
}

export interface StripeTransfer {
  id: string;
  destination: string;
  units: number;
  reversedUnits: number;
  currency: string;
  group: string | null;
  metadata: Record<string, string>;
  createdAt: string;
}

export interface StripePayout {
  id: string;
  account: string;
  units: number;
  currency: string;
  status: 'pending' | 'paid' | 'failed';
  failure: string | null;
  descriptor: string | null;
  metadata: Record<string, string>;
  createdAt: string;
  paidAt: string | null;
}

/** The transfer as it was right after. */
export interface StripeReversal {
  id: string;
  transfer: StripeTransfer;
  at: string;
}

/** What Stripe answered to a key, and to which words. */
export interface StoredAnswer {
  asked: string;
  answer: { status: number; body?: unknown };
  at: string;
}

export interface StripeState {
  accountId: string;
  /** Smallest units, by currency in lower case. What is not here is 0. */
  balances: Record<string, number>;
  /** What is not available yet. Books of an earlier version have none. */
  pending?: Record<string, number>;
  accounts: StripeAccount[];
  links: StripeLink[];
  transfers: StripeTransfer[];
  reversals: StripeReversal[];
  payouts: StripePayout[];
  /** Whose payouts wait at the bank, or fail there: by the metadata `rail_key`. */
  fates: Record<string, { fails: string | null }>;
  /** Where it tells what it has to tell. */
  noticesUrl: string | null;
  stored: Record<string, StoredAnswer>;
}

/** A call that Stripe turns away, with its code. */
export class Denied extends Error {
  constructor(
    readonly code: string,
    readonly status = 400,
  ) {
    super(code);
  }
}

export const numbered = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`;

/** What changed, for whoever tells it. */
export type Change =
  | { type: 'account.updated'; account: StripeAccount }
  | { type: 'payout.created' | 'payout.paid' | 'payout.failed'; payout: StripePayout }
  | { type: 'transfer.created' | 'transfer.reversed'; transfer: StripeTransfer };

/** No other country is served. */
const SERVED =
  /^(A[TU]|B[EG]|C[AHYZ]|D[EK]|E[ES]|F[IR]|G[BR]|H[KRU]|I[EST]|JP|L[TUV]|M[TX]|N[LOZ]|P[LT]|RO|S[EGIK]|TH|US)$/;
const LINK_LIVES_MS = 300_000;

export class StripeBooks {
  constructor(
    private readonly state: StripeState,
    private readonly now: () => Date,
    private readonly changed: (change: Change) => void,
  ) {}

  open(asked: Pick<StripeAccount, 'country' | 'interval' | 'metadata'>): StripeAccount {
    if (!SERVED.test(asked.country)) throw new Denied('country_unsupported');
    const account: StripeAccount = {
      ...{ ...asked, id: numbered('acct'), currency: 'eur', owner: '', last4: '', balances: {} },
      ...{ standing: 'incomplete', reason: null, createdAt: this.now().toISOString() },
    };
    this.state.accounts.push(account);
    return account;
  }

  link(account: string, urls: Pick<StripeLink, 'returnUrl' | 'refreshUrl'>): StripeLink {
    const expiresAt = new Date(this.now().getTime() + LINK_LIVES_MS).toISOString();
    const link = { ...urls, token: numbered('link'), account: this.account(account).id, expiresAt, used: false };
    this.state.links.push(link);
    return link;
  }

  /** Of its owner, by whoever checks them. */
  becomes(account: StripeAccount, standing: StripeAccount['standing'], reason: string | null = null): void {
    Object.assign(account, { standing, reason });
    if (standing === 'verified')
      Object.assign(account, { owner: account.owner || 'Ada Testperson', last4: account.last4 || '3000' });
    this.changed({ type: 'account.updated', account });
  }

  account(id: string): StripeAccount {
    const found = this.state.accounts.find((account) => account.id === id);
    if (!found) throw new Denied('account_invalid', 403);
    return found;
  }

  transfer(asked: Pick<StripeTransfer, 'destination' | 'units' | 'currency' | 'group' | 'metadata'>): StripeTransfer {
    const account = this.account(asked.destination);
    if (account.standing !== 'verified') throw new Denied('insufficient_capabilities_for_transfer');
    take(this.state.balances, asked);
    give(account.balances, asked);
    const transfer = { ...asked, id: numbered('tr'), reversedUnits: 0, createdAt: this.now().toISOString() };
    this.state.transfers.push(transfer);
    this.changed({ type: 'transfer.created', transfer });
    return transfer;
  }

  reverse(id: string, asked: number | null): StripeTransfer {
    const transfer = this.state.transfers.find((each) => each.id === id);
    if (!transfer) throw new Denied('resource_missing', 404);
    const units = asked ?? transfer.units - transfer.reversedUnits;
    if (units < 1 || transfer.reversedUnits + units > transfer.units) throw new Denied('amount_too_large');
    const { currency } = transfer;
    take(this.account(transfer.destination).balances, { units, currency });
    give(this.state.balances, { units, currency });
    transfer.reversedUnits += units;
    this.state.reversals.push({ id: numbered('trr'), transfer: { ...transfer }, at: this.now().toISOString() });
    this.changed({ type: 'transfer.reversed', transfer });
    return transfer;
  }

  payOut(asked: Pick<StripePayout, 'account' | 'units' | 'currency' | 'descriptor' | 'metadata'>): StripePayout {
    const account = this.account(asked.account);
    if (account.standing !== 'verified') throw new Denied('payouts_not_allowed');
    take(account.balances, asked);
    const payout: StripePayout = {
      ...asked,
      ...{ id: numbered('po'), status: 'pending', failure: null, createdAt: this.now().toISOString(), paidAt: null },
    };
    this.state.payouts.push(payout);
    this.changed({ type: 'payout.created', payout });
    return payout;
  }

  /** The bank has it. */
  pays(payout: StripePayout): void {
    if (payout.status !== 'pending') throw new Error(`What is ${payout.status} cannot be paid.`);
    Object.assign(payout, { status: 'paid', paidAt: this.now().toISOString() });
    this.changed({ type: 'payout.paid', payout });
  }

  /** What waited at the bank for so long is paid there, if nobody said otherwise. */
  catchUp(processedAfterMs: number): void {
    for (const payout of this.state.payouts) {
      if (payout.status !== 'pending') continue;
      const age = this.now().getTime() - Date.parse(payout.createdAt);
      const fate = this.state.fates[payout.metadata.rail_key ?? ''];
      if (fate?.fails) this.fails(payout, fate.fails);
      else if (!fate && age >= processedAfterMs) this.pays(payout);
    }
  }

  /** The bank does not take it, or sends it back though it was paid: it lies in the account again. */
  fails(payout: StripePayout, failure: string): void {
    if (payout.status === 'failed') throw new Error('It failed before.');
    Object.assign(payout, { status: 'failed', failure });
    give(this.account(payout.account).balances, payout);
    this.changed({ type: 'payout.failed', payout });
  }
}

interface Money {
  units: number;
  currency: string;
}

function take(balances: Record<string, number>, { units, currency }: Money): void {
  const held = balances[currency] ?? 0;
  if (held < units) throw new Denied('balance_insufficient');
  balances[currency] = held - units;
}

function give(balances: Record<string, number>, { units, currency }: Money): void {
  balances[currency] = (balances[currency] ?? 0) + units;
}
