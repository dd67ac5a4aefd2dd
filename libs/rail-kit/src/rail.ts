/**
 * The interface that every rail implements. A rail reports facts about its provider and never a payout's status: the core turns facts
 * into states. Two methods are required; a rail opts into the powers below them by implementing them.
 */
import type { DirectsAccounts, HostsOnboarding, OpensAccounts, ReadsAccounts } from './accounts';
import type { LookupAnswer, NotNow, OutcomeFact, SubmitAnswer, Unknown, VerificationAnswer } from './facts';
import type { ChecksPayees, DirectsChecks } from './payee-checks';

export interface RailPayee {
  /** Another one if the payee is made again after a restore. So it stands in no words that a provider compares under a key. */
  id: string;
  externalId: string;
  email: string | null;
  name: string | null;
  country: string | null;
}

/** The same on every try, and in every look-up, whatever became of payer and payee since it was authorized. */
export interface RailOrder {
  /** The payout's idempotency code at the rail: the same on every try, for ever. */
  railKey: string;
  /** Another one if the payout is made again after a restore, under the same code. So it stands in no words that a provider compares under a key. */
  payoutId: string;
  amountCents: number;
  currency: string;
  payee: RailPayee;
  /**
   * The name under which a provider may know the payee for good. It is made of what their client calls them, so it is the same for a payee who
   * was made again after a restore, when our id of them is another one.
   */
  payeeKey: string;
  /** The payer as the payee knows them: for a statement descriptor or the subject of a mail. null for a payout from before it was kept. */
  payerName: string | null;
  /** The payee's account at the rail; null on custody-free rails and in test mode. */
  accountId: string | null;
  reason: string | null;
}

export interface RailCall {
  /** Aborted when nobody waits for the answer any more: then nothing may leave for the provider. */
  signal: AbortSignal;
  /**
   * Why a look-up must move nothing, not even to find out: the payout is at rest, or of a database that was restored and not compared with its
   * rails since, and its rows may have left with another one; or it was sent with another account of the provider. In the second case `never_seen` means that this account knows nothing of it.
   */
  movesNothing?: 'at_rest' | 'sent_elsewhere';
  /** Of a look-up that may move something: whether it must not any more. Asked right before: the provider may have taken its time since. */
  isStopped?: () => Promise<boolean>;
}

export interface Rail {
  /** Moves the money once per railKey, however often it is called. An outcome it cannot tell is `unknown`. */
  submit(order: RailOrder, call?: RailCall): Promise<SubmitAnswer>;
  /** What the provider knows about this railKey. `never_seen` only if that is certain. */
  lookup(order: RailOrder, call?: RailCall): Promise<LookupAnswer>;
}

/** One more call of a payout whose first one was accepted. The same on every try. */
export interface RailLeg {
  /** As the rail called it. */
  name: string;
  /** The idempotency code of this call alone: honoured for as long as any other, counted from `firstSentAt`. */
  key: string;
  firstSentAt: Date;
  /** Where its payee wants the money, as the rail's own check gave it. Left out of calls that no payee begins. */
  destination?: string;
}

/**
 * A payout takes more than one call: a transfer and then a payout, or something that pulls the money back before a refusal counts. An
 * `accepted` with `next` asks for it, in answer to a call or a look-up. Such an answer is about the whole payout, and it is `refused` only
 * once nothing is out any more. A paid payout stays `settled` while it is pulled back after a bounce: the next look-up tells `bounced`.
 */
export interface MovesInLegs {
  advance(order: RailOrder, leg: RailLeg, call?: RailCall): Promise<SubmitAnswer>;
}

export type DestinationFact =
  /** In the one form that this address has: what a person recognises it by, and what the call is made with. */
  | { kind: 'taken'; destination: string }
  /** A sentence for the payee. */
  | { kind: 'refused'; reason: string }
  | Unknown;
export type DestinationAnswer = DestinationFact | NotNow;

export type ArrivalFact = { kind: 'arrives'; coin: string; network: string } | Unknown;

/**
 * The money waits until its payee says where it goes: an `awaiting_payee` with `begins` names the call that follows then. Beside
 * `MovesInLegs`, which makes it.
 */
export interface LetsPayeesBegin {
  /** Whether the money of this order can go there. Moves nothing, keeps nothing; what it gave is taken again, and stays the same. */
  checkDestination(order: RailOrder, entered: string, call?: RailCall): Promise<DestinationAnswer>;
  /** What can be sent to an address, and over which network, for payees to read: an address for anything else loses the money. */
  arrivesAs(call?: RailCall): Promise<ArrivalFact | NotNow>;
}

export type PayeeLinkFact =
  /**
   * A secret of its payee: it is handed on at once or not at all, and neither kept, mailed nor logged. `of`: the provider's object that it
   * leads to, as the rail is told once it is handed on.
   */
  | { kind: 'link'; url: string; of: string }
  /** There is no page for it: nothing waits there for its payee, or not any more. */
  | { kind: 'none'; detail: string }
  | Unknown;
export type PayeeLinkAnswer = PayeeLinkFact | NotNow;

/**
 * The payee takes the money on a page of the provider's, and so can anybody who has its link. So it is made when they come for it, from
 * their wallet, and once it is handed on the money counts as theirs, if the provider does not tell what becomes of it there.
 */
export interface LeadsPayees {
  /**
   * A link to the provider's own page of this payment. Each call makes a new one, even after it was paid. It changes nothing: the person who
   * asked for it may not be its payee any more, and then it is dropped.
   */
  payeeLink(order: RailOrder, call?: RailCall): Promise<PayeeLinkAnswer>;
  /** The link to this goes out next, and does not if this throws. It is noted, and the provider is not asked. */
  handedOver(order: RailOrder, of: string): Promise<void>;
}

export interface Notice {
  headers: Record<string, string>;
  body: Buffer;
}
/** The provider calls us. A notice is a hint: it names payments and accounts to ask about, it never carries the truth. */
export interface ReadsNotices {
  readNotice(notice: Notice, call?: RailCall): Promise<NoticeReading>;
}
export type NoticeReading =
  | { kind: 'forged' }
  /** `accountIds`: accounts of payees that stand otherwise, or may. */
  | { kind: 'hints'; noticeId: string; railKeys: string[]; accountIds?: string[] };

/** A rail for tests: its provider does what it is told, so that every outcome can be made to happen. */
export interface TakesDirection {
  direct(order: RailOrder, outcome: OutcomeFact): Promise<void>;
}

/** A rail for tests whose records hold times: when a test lets time pass, they become as old as its payouts. */
export interface KeepsTimes {
  timesKept(): TimesKept;
}
export interface TimesKept {
  /** The prefix of the key of a payout's record, before its railKey. */
  keyPrefix: string;
  /** Properties that hold an instant, in ISO 8601, or null. */
  properties: readonly string[];
}

/** A rail for tests, of which nothing is left of a client that is reset: its records lie with ours. */
export interface KeepsRecords {
  recordsKept(): RecordsKept;
}
/** The prefix of their keys. */
export interface RecordsKept {
  /** Before the railKey of a payout. */
  payment: string;
  /** Before the key of a later call of it. */
  leg: string;
  /** Before the key under which an account was asked for. */
  opening: string;
  /** Before the id of an account. */
  account: string;
  /** Before the id of a payee, of whether they were checked. */
  check: string;
}

export const MOVEMENT_DIRECTIONS = ['out', 'back'] as const;
export type MovementDirection = (typeof MOVEMENT_DIRECTIONS)[number];

/** Everything that the rail moved, to be compared with what we know. */
export interface ListsMovements {
  /**
   * Until then at least, and until now if nothing is said. Later movements do no harm. If a provider lists page by page, it is read page by
   * page: each has a deadline of its own.
   */
  movements(since: Date, until?: Date, call?: RailCall): Promise<RailMovement[]> | AsyncIterable<RailMovement[]>;
}
export interface RailMovement {
  railKey: string;
  /** Which deployment sent it, if the provider kept that: two may share an account. Ours if nothing is said. */
  deployment?: string;
  /**
   * `back`: it came back to the rail's own account, whether it had landed or not; under the reference that it left under. Out if
   * nothing is said.
   */
  direction?: MovementDirection;
  providerRef: string;
  amountCents: number;
  currency: string;
  movedAt: Date;
}

/** How much is in the rail's own account with its provider: payouts that it could not cover are released once it can. */
export interface ReportsFunding {
  funding(call?: RailCall): Promise<RailFunds[]>;
}
export interface RailFunds {
  currency: string;
  availableCents: number;
}

/** Says whose credentials it has. At its first use the answer is remembered, and with another one nothing is sent. */
export interface Verifies {
  verify(call?: RailCall): Promise<VerificationAnswer>;
}

const has = (rail: Rail, method: string): boolean =>
  typeof (rail as unknown as Record<string, unknown>)[method] === 'function';

export const readsAccounts = (rail: Rail): rail is Rail & ReadsAccounts => has(rail, 'readAccount');
export const opensAccounts = (rail: Rail): rail is Rail & OpensAccounts => has(rail, 'openAccount');
export const hostsOnboarding = (rail: Rail): rail is Rail & HostsOnboarding => has(rail, 'onboardingLink');
export const directsAccounts = (rail: Rail): rail is Rail & DirectsAccounts => has(rail, 'directAccount');
export const movesInLegs = (rail: Rail): rail is Rail & MovesInLegs => has(rail, 'advance');
export const letsPayeesBegin = (rail: Rail): rail is Rail & LetsPayeesBegin & MovesInLegs =>
  movesInLegs(rail) && has(rail, 'checkDestination') && has(rail, 'arrivesAs');
export const leadsPayees = (rail: Rail): rail is Rail & LeadsPayees =>
  has(rail, 'payeeLink') && has(rail, 'handedOver');
export const checksPayees = (rail: Rail): rail is Rail & ChecksPayees =>
  has(rail, 'checkPayee') && has(rail, 'payeeCheckLink');
export const directsChecks = (rail: Rail): rail is Rail & DirectsChecks => has(rail, 'directCheck');
export const readsNotices = (rail: Rail): rail is Rail & ReadsNotices => has(rail, 'readNotice');
export const takesDirection = (rail: Rail): rail is Rail & TakesDirection => has(rail, 'direct');
export const keepsTimes = (rail: Rail): rail is Rail & KeepsTimes => has(rail, 'timesKept');
export const keepsRecords = (rail: Rail): rail is Rail & KeepsRecords => has(rail, 'recordsKept');
export const reportsFunding = (rail: Rail): rail is Rail & ReportsFunding => has(rail, 'funding');
export const listsMovements = (rail: Rail): rail is Rail & ListsMovements => has(rail, 'movements');
export const verifies = (rail: Rail): rail is Rail & Verifies => has(rail, 'verify');
