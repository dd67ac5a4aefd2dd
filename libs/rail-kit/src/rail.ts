/**
 * What every rail implements. A rail reports facts about its provider and never a payout's status: the core turns
 * facts into states. Two methods are required; the powers below them are opted into by implementing them.
 */
import type { AccountFact, LookupFact, OutcomeFact, SubmitFact } from './facts';

export interface RailPayee {
  id: string;
  externalId: string;
  email: string | null;
  name: string | null;
  country: string | null;
}

export interface RailOrder {
  /** The payout's idempotency code at the rail: the same on every try, for ever. */
  railKey: string;
  payoutId: string;
  amountCents: number;
  currency: string;
  payee: RailPayee;
  /** The payee's account at the rail; null on custody-free rails and in test mode. */
  accountId: string | null;
  reason: string | null;
}

export interface RailCall {
  /** Aborted when nobody waits for the call any more: then nothing may leave for the provider. */
  signal: AbortSignal;
}

export interface Rail {
  /** Moves the money once per railKey, however often it is called. An outcome it cannot tell is `unknown`. */
  submit(order: RailOrder, call?: RailCall): Promise<SubmitFact>;
  /** What the provider knows of this railKey. `never_seen` only if that is certain. */
  lookup(order: RailOrder): Promise<LookupFact>;
}

/** Custodial rails: the payee has an account with the provider, and the provider is asked whether it can be paid. */
export interface OpensAccounts {
  readAccount(accountId: string): Promise<AccountFact>;
}

/** The provider calls us. A notice is a hint: it names railKeys to look up, it never carries the truth. */
export interface ReadsNotices {
  readNotice(notice: { headers: Record<string, string>; body: Buffer }): Promise<NoticeReading>;
}
export type NoticeReading = { kind: 'forged' } | { kind: 'hints'; noticeId: string; railKeys: string[] };

/** A rail for tests: its provider does what it is told, so that every outcome can be made to happen. */
export interface TakesDirection {
  direct(order: RailOrder, outcome: OutcomeFact): Promise<void>;
}

/** What the rail moved, for comparing it with what we know. */
export interface ListsMovements {
  /** Until then at least, and until now if nothing is said. What comes after it does no harm. */
  movements(since: Date, until?: Date): Promise<RailMovement[]>;
}
export interface RailMovement {
  railKey: string;
  providerRef: string;
  amountCents: number;
  currency: string;
  movedAt: Date;
}

/** What lies in the rail's own account with its provider: payouts that it could not cover are released when it can. */
export interface ReportsFunding {
  funding(): Promise<RailFunds[]>;
}
export interface RailFunds {
  currency: string;
  availableCents: number;
}

const has = (rail: Rail, method: string): boolean =>
  typeof (rail as unknown as Record<string, unknown>)[method] === 'function';

export const opensAccounts = (rail: Rail): rail is Rail & OpensAccounts => has(rail, 'readAccount');
export const readsNotices = (rail: Rail): rail is Rail & ReadsNotices => has(rail, 'readNotice');
export const takesDirection = (rail: Rail): rail is Rail & TakesDirection => has(rail, 'direct');
export const reportsFunding = (rail: Rail): rail is Rail & ReportsFunding => has(rail, 'funding');
export const listsMovements = (rail: Rail): rail is Rail & ListsMovements => has(rail, 'movements');
