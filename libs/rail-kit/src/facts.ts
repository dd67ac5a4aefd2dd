/** The facts a rail can report. Unknown is one of them: only an explicit yes or no ends a payout. */
/** The order as the provider repeats it. If it differs from ours, the outcome counts as unknown. */
export interface Echo {
  amountCents: number;
  currency: string;
}

/** Fields that every fact about money under way, or moved, may carry. */
interface Told {
  echo?: Echo;
  /** The rail's fee for this payout, on top of its amount: for operators, and not taken from the payee. Left out if not told. */
  fee?: RailFee;
}
/** Whole minor units of its own currency, which may be another than the payout's. */
export interface RailFee {
  amountCents: number;
  currency: string;
}

export interface Settled extends Told {
  kind: 'settled';
  providerRef: string;
  /** When the money arrived at the bank; null if the provider only says that it left. */
  settledAt: Date | null;
}
export interface Accepted extends Told {
  kind: 'accepted';
  providerRef: string;
  /** There is more to do before the payout can be paid or refused: a rail that moves in legs is told to do that one. */
  next?: NextLeg;
}
export interface NextLeg {
  /** The rail's own word for it, such as `payout` or `pull_back`. Another word is another call, with a key of its own. */
  leg: string;
  /** It is of no use before; at once if nothing is said. */
  afterSeconds?: number;
}
/** Custody-free rails: the money waits for the payee. */
export interface AwaitingPayee extends Told {
  kind: 'awaiting_payee';
  providerRef: string;
  /** Where they act; null: on the core's own page, as the trait `claimPage` said before. */
  claimUrl: string | null;
  /** The payee says where the money goes, and then this call is made: of a rail that lets payees begin, and moves in legs. */
  begins?: BegunLeg;
}
export interface BegunLeg {
  /** The rail's own word for it, as of any leg. */
  leg: string;
  /**
   * The last call of that name was refused, moved nothing, and will not: the payee may say where to once more. `key` is that
   * call's own, so that nobody takes it for the answer to a later one. `reason` is read by the payee.
   */
  refused?: { key: string; reason: string };
}
export interface Claimed extends Told {
  kind: 'claimed';
  providerRef: string;
}
/**
 * Why a rail says no. `funding`: it is itself out of money. `account`: the payee's account cannot take it, and is read again.
 * `credentials`: the provider does not know us, or not any more; no other payout is sent until it does. `expired`: its payee did
 * not come for it in time.
 */
export const REFUSAL_CLASSES = ['transient', 'permanent', 'funding', 'account', 'credentials', 'expired'] as const;

/** A definite no: nothing landed and nothing will. */
export interface Refused {
  kind: 'refused';
  failure: (typeof REFUSAL_CLASSES)[number];
  reason: string;
}
/**
 * The provider did nothing, and wants to be left alone for a while: too many calls, or maintenance. Never a refusal. It is about the whole
 * call of ours: once something that moves money was sent in it, and not certainly turned away, the money may have left, whatever a
 * question after it is answered (`afterSending`).
 */
export interface NotNow {
  kind: 'not_now';
  afterSeconds: number;
  detail: string;
}
/** It settled, and the bank sent it back. */
export interface Bounced {
  kind: 'bounced';
  /** The bank's fee. A fee above the amount counts as all of it. */
  feeCents: number;
}
export interface Unknown {
  kind: 'unknown';
  detail: string;
  /** The provider shows money that went out for it, beside what says that nothing came of it: a payout that ended is a difference then. */
  contradicts?: true;
  /** Said by the core, not by rails: the rail has money under way for it, or moved it, and another amount than it was asked for, or contradicts itself. */
  spokeOf?: Echo & { moved: boolean };
}
export interface NeverSeen {
  kind: 'never_seen';
}

export type SubmitFact = Settled | Accepted | AwaitingPayee | Claimed | Refused | Unknown;
export type LookupFact = SubmitFact | Bounced | NeverSeen;
/** What a rail's call returns. "Not now" is for the caller, and says nothing about the payout. */
export type SubmitAnswer = SubmitFact | NotNow;
export type LookupAnswer = LookupFact | NotNow;
/** The outcomes that a test can have a directed rail's provider produce next. The provider chooses its reference and the time. */
export type OutcomeFact =
  (Pick<Settled, 'kind'> & Partial<Settled>) | (Pick<Claimed, 'kind'> & Partial<Claimed>) | Refused | Bounced;

/** What the provider says about our own credentials. */
export type Verification =
  /** They work; whose they are, and whether money is real there. */
  { kind: 'works'; account: string; mode: 'live' | 'sandbox' } | { kind: 'rejected'; detail: string } | Unknown;
export type VerificationAnswer = Verification | NotNow;

/** Of a question after something was sent in the same call: that it is put off does not say that nothing was done. */
export const afterSending = <Said extends { kind: string }>(said: Said | NotNow): Exclude<Said, NotNow> | Unknown =>
  isNotNow(said) ? { kind: 'unknown', detail: said.detail } : (said as Exclude<Said, NotNow>);

const isNotNow = (said: { kind: string }): said is NotNow => said.kind === 'not_now';
