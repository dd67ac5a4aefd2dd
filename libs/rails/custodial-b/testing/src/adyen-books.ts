/** What the simulated Adyen knows: people, accounts, transfers. Each rule of its money stands here. */
import { randomBytes } from 'node:crypto';

export interface AdyenEntity {
  id: string;
  reference: string | null;
  firstName: string;
  lastName: string;
  email: string | null;
  country: string;
  instruments: AdyenInstrument[];
}

export interface AdyenInstrument {
  id: string;
  number: string;
}

export interface AdyenHolder {
  id: string;
  legalEntityId: string;
  reference: string | null;
  status: 'active' | 'suspended' | 'closed';
  /** How far its owner was checked. */
  standing: 'incomplete' | 'pending' | 'verified' | 'rejected';
  reason: string | null;
  /** When the check that runs is through, if nobody says otherwise. */
  verifiedAt: string | null;
  capabilities: string[];
}

export interface AdyenAccount {
  id: string;
  holderId: string;
  reference: string | null;
  /** Smallest units, by currency; and those of them that are reserved for what is under way. */
  balances: Record<string, number>;
  reserved: Record<string, number>;
}

export interface AdyenTransferEvent {
  id: string;
  status: string;
  at: string;
  tracking: 'credited' | null;
  reason: string | null;
  /** What it did to the balance. */
  units: number | null;
}

export interface AdyenTransfer {
  id: string;
  reference: string;
  category: 'internal' | 'bank';
  direction: 'incoming' | 'outgoing';
  account: string;
  counterparty: { balanceAccountId?: string; transferInstrumentId?: string };
  units: number;
  currency: string;
  description: string | null;
  status: string;
  reason: string | null;
  createdAt: string;
  events: AdyenTransferEvent[];
}

/** How far a transfer to a bank comes by itself, and whether it fails there. By reference. */
export interface AdyenFate {
  until: 'authorised' | 'booked';
  fails: string | null;
}

export interface AdyenLink {
  token: string;
  entity: string;
  redirectUrl: string;
  expiresAt: string;
  used: boolean;
}

export interface AdyenState {
  balancePlatform: string;
  /** The platform's own account. */
  platformAccount: string;
  entities: AdyenEntity[];
  holders: AdyenHolder[];
  accounts: AdyenAccount[];
  transfers: AdyenTransfer[];
  links: AdyenLink[];
  fates: Record<string, AdyenFate>;
  /** Where it tells what it has to tell. */
  noticesUrl: string | null;
  /** What was answered to a key, and to which words. */
  stored: Record<string, { asked: string; answer: { status: number; body?: unknown }; at: string }>;
}

/** A call that Adyen turns away, with its code. */
export class Denied extends Error {
  constructor(
    readonly code: string,
    readonly status = 422,
  ) {
    super(code);
  }
}

export const numbered = (prefix: string): string => `${prefix}${randomBytes(12).toString('hex').toUpperCase()}`;

type AskedTransfer = Pick<
  AdyenTransfer,
  'reference' | 'category' | 'account' | 'counterparty' | 'units' | 'currency' | 'description'
>;

/** Nothing of it is under way any more, and it may not have been. */
const ENDED = new Set(['refused', 'failed', 'returned']);

export class AdyenBooks {
  constructor(
    private readonly state: AdyenState,
    private readonly now: () => Date,
    private readonly changed: (transfer: AdyenTransfer) => void,
  ) {}

  /** The money is there, or the transfer is refused: both are answers, and none is an error. */
  transfer(asked: AskedTransfer): AdyenTransfer {
    const source = this.account(asked.account);
    if (asked.counterparty.balanceAccountId !== undefined) this.account(asked.counterparty.balanceAccountId);
    else this.instrument(asked.counterparty.transferInstrumentId ?? '');
    const transfer: AdyenTransfer = {
      ...{ ...asked, id: numbered('TR'), direction: 'outgoing', status: 'received', reason: null },
      ...{ createdAt: this.now().toISOString(), events: [] },
    };
    this.state.transfers.push(transfer);
    this.becomes(transfer, 'received');
    const { units, currency } = asked;
    const why = this.obstacle(transfer) ?? (availableOf(source, currency) < units ? 'notEnoughBalance' : null);
    if (why !== null) return this.becomes(transfer, 'refused', { reason: why });
    add(source.reserved, currency, units);
    return this.becomes(transfer, 'authorised', { reason: 'approved' });
  }

  /** Who is paid, and whose bank is paid, has to be checked. What is taken back from somebody needs no more than a live account. */
  private obstacle({ account, counterparty, category }: AdyenTransfer): string | null {
    const { platformAccount } = this.state;
    const payee = account === platformAccount ? counterparty.balanceAccountId : account;
    const holder = this.holder(this.account(payee ?? account).holderId);
    const isTakenBack = category === 'internal' && account !== platformAccount;
    const isGood = holder.status === 'active' && (isTakenBack || holder.standing === 'verified');
    return isGood ? null : 'accountHierarchyNotActive';
  }

  /** The money leaves the account; between two accounts it arrives at once. */
  books(transfer: AdyenTransfer): void {
    if (transfer.status !== 'authorised') throw new Error(`What is ${transfer.status} cannot be booked.`);
    const { units, currency, counterparty, account } = transfer;
    const source = this.account(account);
    add(source.reserved, currency, -units);
    add(source.balances, currency, -units);
    this.becomes(transfer, 'booked', { units: -units });
    if (counterparty.balanceAccountId === undefined) return;
    add(this.account(counterparty.balanceAccountId).balances, currency, units);
    const arrived: AdyenTransfer = {
      ...{ ...transfer, id: numbered('TR'), direction: 'incoming', events: [], reason: null },
      ...{ account: counterparty.balanceAccountId, counterparty: { balanceAccountId: account } },
    };
    this.state.transfers.push(arrived);
    this.becomes(arrived, 'booked', { units });
  }

  /** The bank has it. */
  credits(transfer: AdyenTransfer): void {
    if (transfer.status === 'authorised') this.books(transfer);
    if (transfer.status !== 'booked' || isCredited(transfer))
      throw new Error(`What is ${transfer.status} cannot be credited.`);
    this.becomes(transfer, 'booked', { tracking: 'credited' });
  }

  /** The bank, or Adyen, does not take it, also after it was booked: it lies in the payee's account again. */
  fails(transfer: AdyenTransfer, reason: string): void {
    if (ENDED.has(transfer.status)) throw new Error(`It is ${transfer.status} already.`);
    this.gives(transfer, 'failed', reason, transfer.units);
  }

  /** The bank sends it back, less what it keeps. */
  returns(transfer: AdyenTransfer, reason: string, kept = 0): void {
    if (transfer.status !== 'booked') throw new Error(`What is ${transfer.status} cannot be returned.`);
    this.gives(transfer, 'returned', reason, transfer.units - kept);
  }

  private gives(transfer: AdyenTransfer, status: string, reason: string, units: number): void {
    const account = this.account(transfer.account);
    const { currency } = transfer;
    if (transfer.status === 'booked') add(account.balances, currency, units);
    else add(account.reserved, currency, -transfer.units);
    this.becomes(transfer, status, { reason, units: transfer.status === 'booked' ? units : null });
  }

  /** What time does, if nobody said otherwise. */
  catchUp(processedAfterMs: number): void {
    const now = this.now().getTime();
    for (const holder of this.state.holders)
      if (holder.standing === 'pending' && holder.verifiedAt !== null && Date.parse(holder.verifiedAt) <= now)
        Object.assign(holder, { standing: 'verified', reason: null, verifiedAt: null });
    for (const transfer of [...this.state.transfers]) this.goesOn(transfer, now, processedAfterMs);
  }

  private goesOn(transfer: AdyenTransfer, now: number, processedAfterMs: number): void {
    const { category, status, direction } = transfer;
    if (direction === 'incoming' || ENDED.has(status)) return;
    if (category === 'bank') this.goesOnAtTheBank(transfer, now - Date.parse(transfer.createdAt), processedAfterMs);
    else if (status === 'authorised') this.books(transfer);
  }

  private goesOnAtTheBank(transfer: AdyenTransfer, ageMs: number, processedAfterMs: number): void {
    const fate = this.state.fates[transfer.reference];
    if (fate?.fails && transfer.status === fate.until) return this.fails(transfer, fate.fails);
    if (fate?.until === 'authorised') return;
    if (transfer.status === 'authorised' && ageMs >= processedAfterMs) this.books(transfer);
    if (!fate && ageMs >= 2 * processedAfterMs && isToBeCredited(transfer)) this.credits(transfer);
  }

  account(id: string): AdyenAccount {
    return found(this.state.accounts, id);
  }

  holder(id: string): AdyenHolder {
    const holder = this.state.holders.find((each) => each.id === id);
    if (!holder) throw new Denied('30_012');
    return holder;
  }

  entity(id: string): AdyenEntity {
    return found(this.state.entities, id);
  }

  instrument(id: string): { entity: AdyenEntity; instrument: AdyenInstrument } {
    for (const entity of this.state.entities)
      for (const instrument of entity.instruments) if (instrument.id === id) return { entity, instrument };
    throw new Denied('30_112');
  }

  private becomes(
    transfer: AdyenTransfer,
    status: string,
    { reason = null, units = null, tracking = null }: Partial<AdyenTransferEvent> = {},
  ): AdyenTransfer {
    const event = { id: numbered('EV'), status, at: this.now().toISOString(), tracking, reason, units };
    transfer.events.push(event);
    Object.assign(transfer, { status, reason: reason ?? transfer.reason });
    this.changed(transfer);
    return transfer;
  }
}

function found<Each extends { id: string }>(all: readonly Each[], id: string): Each {
  const it = all.find((each) => each.id === id);
  if (!it) throw new Denied('30_112');
  return it;
}

const isToBeCredited = (transfer: AdyenTransfer): boolean => transfer.status === 'booked' && !isCredited(transfer);

export const isCredited = ({ events }: AdyenTransfer): boolean => events.some(({ tracking }) => tracking !== null);

export const availableOf = ({ balances, reserved }: AdyenAccount, currency: string): number =>
  (balances[currency] ?? 0) - (reserved[currency] ?? 0);

const add = (sums: Record<string, number>, currency: string, units: number): void =>
  void (sums[currency] = (sums[currency] ?? 0) + units);
