/** Whether a payee was checked, before money that waits for them goes on to where they want it. */
import type { OnboardingLinkFact, OnboardingVisit } from './accounts';
import type { NotNow, Unknown } from './facts';
import type { RailCall, RailOrder } from './rail';

/** `always`: its provider, or its law, wants it. `on_request`: of clients that ask for it. */
export const CHECK_TIMINGS = ['always', 'on_request'] as const;
export type CheckTiming = (typeof CHECK_TIMINGS)[number];

export type PayeeCheckFact =
  /** The money may go on. */
  | { kind: 'cleared' }
  /** There is something for them to do on the provider's pages. */
  | { kind: 'to_do' }
  /** They did it, and the provider looks at it. */
  | { kind: 'checking' }
  /** They were not let through. A sentence for the payee; whether they may try again the link says. */
  | { kind: 'rejected'; reason: string }
  | Unknown;
export type PayeeCheckAnswer = PayeeCheckFact | NotNow;

export type CheckLinkFact = Exclude<OnboardingLinkFact, { kind: 'unconfirmed' }>;
export type CheckLinkAnswer = CheckLinkFact | NotNow;

/**
 * Beside `LetsPayeesBegin`, for a rail with the trait `checksPayees`. Unknown is not cleared: nothing goes on then. A clearance may be
 * withdrawn, so it is asked for at each step of the payee, and once more before their money leaves.
 */
export interface ChecksPayees {
  /** How the payee of this order stands by now. It begins nothing, makes no link and moves nothing. */
  checkPayee(order: RailOrder, call?: RailCall): Promise<PayeeCheckAnswer>;
  /** A link to the provider's own pages. Each call makes a new one, for somebody who clicked. */
  payeeCheckLink(order: RailOrder, visit: OnboardingVisit, call?: RailCall): Promise<CheckLinkAnswer>;
}

/** A rail for tests: its provider thinks of a payee what it is told to; `down`: its next question has no answer. */
export type DirectedCheck = Exclude<PayeeCheckFact, Unknown> | { kind: 'down' };
export interface DirectsChecks {
  directCheck(order: RailOrder, outcome: DirectedCheck): Promise<void>;
}
