/** What a rail can do with payees' accounts, and what it reports about them. Each of the three is a power of its own. */
import type { KycStatus, OnboardingStatus } from '#libs/domain';
import type { NotNow, Refused, Unknown } from './facts';
import type { RailCall, RailPayee } from './rail';

/** The details by which a person recognises an account; null for what the provider does not tell. Never the whole account number. */
export interface AccountDetails {
  /** The bank, or the brand of a card or a wallet. */
  brand: string | null;
  last4: string | null;
  currency: string | null;
  /** Of its owner, as the provider verified it. */
  name: string | null;
  /** Its provider rejected its owner for good: nothing that they hand in changes that. Left out: it did not. */
  isRejectedForGood?: true;
}

export type AccountFact =
  | {
      kind: 'account';
      payable: boolean;
      kyc: KycStatus;
      kycReason: string | null;
      onboarding: OnboardingStatus;
      country: string | null;
      /** Left out: nothing is told, and what was told before stands. */
      details?: AccountDetails;
    }
  /** The account does not exist, or belongs to another platform. */
  | { kind: 'unconfirmed'; detail: string }
  | Unknown;

export type AccountAnswer = AccountFact | NotNow;

/** Custodial rails: the payee has an account with the provider, and the provider is asked whether it can be paid. */
export interface ReadsAccounts {
  readAccount(accountId: string, call?: RailCall): Promise<AccountAnswer>;
}

/** The same on every try under its key, whatever became of the payee since. */
export interface AccountRequest {
  /** One key is one account at the rail, for ever. A provider that takes several calls for it gets the key of each from the rail's store. */
  key: string;
  payee: RailPayee;
}

/** Of the classes of any refusal those that an account, or a link to its pages, can meet. */
export const OPENING_REFUSALS = ['transient', 'permanent', 'credentials'] as const satisfies Refused['failure'][];
export type OpeningRefusal = (typeof OPENING_REFUSALS)[number];

export type OpeningFact =
  | { kind: 'opened'; accountId: string }
  /** No account was opened under this key, and none will be without being asked again. */
  | { kind: 'refused'; failure: OpeningRefusal; reason: string }
  /** An account may have been opened: the same key is asked again. */
  | Unknown;

export type OpeningAnswer = OpeningFact | NotNow;

export interface OpensAccounts {
  /** Opens one account per key, however often it is called, and by two processes at once. */
  openAccount(request: AccountRequest, call?: RailCall): Promise<OpeningAnswer>;
}

/** Where the provider's pages send the payee, and in which language they speak. */
export interface OnboardingVisit {
  /** When they are through, or give up. */
  returnUrl: string;
  /** When the link was used up or too old: whoever comes there gets a new one. */
  refreshUrl: string;
  /** BCP 47. */
  locale: string | null;
}

export type OnboardingLinkFact =
  /** A secret of its payee: it is handed on at once, and neither kept, mailed nor logged. */
  | { kind: 'link'; url: string; expiresAt: Date | null }
  | { kind: 'refused'; failure: OpeningRefusal; reason: string }
  | { kind: 'unconfirmed'; detail: string }
  | Unknown;

export type OnboardingLinkAnswer = OnboardingLinkFact | NotNow;

export interface HostsOnboarding {
  /** A link to the provider's own pages. Each call makes a new one. */
  onboardingLink(accountId: string, visit: OnboardingVisit, call?: RailCall): Promise<OnboardingLinkAnswer>;
}

/** How far a test moves an account: as if its owner, or whoever checks them, had come that far. */
export interface DirectedStanding {
  kyc: KycStatus;
  kycReason: string | null;
  onboarding: OnboardingStatus;
}

/** A rail for tests: its provider thinks of an account what it is told to. */
export interface DirectsAccounts {
  directAccount(accountId: string, standing: DirectedStanding): Promise<void>;
}
