/** The facts a rail can report. Unknown is one of them: only an explicit yes or no ends a payout. */
import type { KycStatus, OnboardingStatus } from '#libs/domain';

/** What the provider says it was asked to move. If it differs from the order, the outcome counts as unknown. */
export interface Echo {
  amountCents: number;
  currency: string;
}

export interface Settled {
  kind: 'settled';
  providerRef: string;
  /** When the money arrived at the bank; null if the provider only says that it left. */
  settledAt: Date | null;
  echo?: Echo;
}
export interface Accepted {
  kind: 'accepted';
  providerRef: string;
  echo?: Echo;
}
/** Custody-free rails: the money waits for the payee behind this link. */
export interface AwaitingPayee {
  kind: 'awaiting_payee';
  providerRef: string;
  claimUrl: string;
  echo?: Echo;
}
export interface Claimed {
  kind: 'claimed';
  providerRef: string;
  echo?: Echo;
}
/** A definite no: nothing landed and nothing will. `funding`: the rail itself is out of money. */
export interface Refused {
  kind: 'refused';
  failure: 'transient' | 'permanent' | 'funding';
  reason: string;
}
/** It settled, and the bank sent it back. */
export interface Bounced {
  kind: 'bounced';
  /** What the bank kept of the money. More than the money itself counts as all of it. */
  feeCents: number;
}
export interface Unknown {
  kind: 'unknown';
  detail: string;
  /** Said by the core, not by rails: the rail has money under way for it, or moved it, and another amount than it was asked for. */
  spokeOf?: Echo & { moved: boolean };
}
export interface NeverSeen {
  kind: 'never_seen';
}

export type SubmitFact = Settled | Accepted | AwaitingPayee | Claimed | Refused | Unknown;
export type LookupFact = SubmitFact | Bounced | NeverSeen;
/** What a test can tell a directed rail's provider to do next. Its reference and the time are the provider's to choose. */
export type OutcomeFact =
  (Pick<Settled, 'kind'> & Partial<Settled>) | (Pick<Claimed, 'kind'> & Partial<Claimed>) | Refused | Bounced;

export type AccountFact =
  | {
      kind: 'account';
      payable: boolean;
      kyc: KycStatus;
      kycReason: string | null;
      onboarding: OnboardingStatus;
      country: string | null;
    }
  /** The account does not exist, or belongs to another platform. */
  | { kind: 'unconfirmed'; detail: string }
  | Unknown;
