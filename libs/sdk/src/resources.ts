/** What callers send and read. */
import type {
  DisbursementStatus,
  FailureKind,
  KycStatus,
  OnboardingStatus,
  PayoutStatus,
  StatusWord,
} from '#libs/domain';

export interface Page<T> {
  data: T[];
  nextCursor: string | null;
}

/** In an update an absent field stays as it is, and null clears it. */
export interface PayeeInput {
  externalId: string;
  email?: string | null;
  /** The legal name. */
  name?: string | null;
  country?: string | null;
  /** The language of their pages and mails (BCP 47). */
  locale?: string | null;
  metadata?: Record<string, string> | null;
}

export interface Payee {
  id: string;
  externalId: string;
  email: string | null;
  name: string | null;
  country: string | null;
  locale: string | null;
  payable: boolean;
  kycStatus: KycStatus;
  kycReason: string | null;
  onboardingStatus: OnboardingStatus;
  provider: string | null;
  metadata: Record<string, string>;
  createdAt: string;
  updatedAt: string;
}

export interface PayeeQuery {
  limit?: number;
  cursor?: string;
  kyc?: KycStatus;
  payable?: boolean;
  email?: string;
  externalId?: string;
}

/** `iframe`: the page may be shown in a frame by the site of the webhook URL. */
export interface OnboardingLinkInput {
  returnUrl: string;
  mode?: 'redirect' | 'iframe';
}

export interface OnboardingLink {
  url: string;
  provider: string | null;
  mode: 'redirect' | 'iframe';
  expiresAt: string;
}

export interface PortalLink {
  sent: boolean;
  expiresAt: string;
}

export interface Readiness {
  payeeId: string;
  payable: boolean;
  provider: string | null;
  kycStatus: KycStatus;
  blockers: string[];
  checkedAt: string;
  stale?: boolean;
}

export interface PayoutInput {
  payeeId: string;
  amountCents: number;
  currency: string;
  /** Decides what is the same payout: sent again, it pays nothing again. */
  idempotencyKey: string;
  ref?: string | null;
  reason?: string | null;
  metadata?: Record<string, string>;
}

export interface Payout {
  id: string;
  source: string;
  payeeId: string;
  idempotencyKey: string;
  amountCents: number;
  currency: string;
  status: StatusWord;
  provider: string | null;
  providerRef: string | null;
  reason: string | null;
  ref: string | null;
  failureKind: FailureKind | null;
  retryable: boolean;
  liftingFeeCents: number;
  claimUrl: null;
  settledAt: string | null;
  metadata: Record<string, string>;
  createdAt: string;
  updatedAt: string;
}

export interface PayoutStep {
  id: string;
  type: string;
  fromStatus: StatusWord | null;
  toStatus: StatusWord;
  statusReason: string | null;
  failureKind: FailureKind | null;
  actor: string;
  createdAt: string;
}

export interface PayoutDetail extends Payout {
  statusReason: string | null;
  events: PayoutStep[];
  /** How many steps between the first and the newest are left out of `events`. */
  eventsLeftOut: number;
}

/** `status` takes version 1 words whatever the client's version. */
export interface PayoutQuery {
  limit?: number;
  cursor?: string;
  cursor2?: string;
  status?: PayoutStatus;
  payeeId?: string;
  ref?: string;
  provider?: string;
  createdFrom?: string;
  createdTo?: string;
}

/** `nextCursor2` never skips rows of one instant; give it back as `cursor2`. */
export interface PayoutPage extends Page<Payout> {
  nextCursor2: string | null;
}

/** Exactly one of payeeId and email. The externalRef decides what is the same row. */
export interface DisbursementInput {
  payeeId?: string;
  email?: string;
  amountCents: number;
  currency: string;
  externalRef: string;
  name?: string | null;
  reason?: string | null;
}

export interface Disbursement {
  id: string;
  payeeId: string;
  email: string | null;
  amountCents: number;
  currency: string;
  status: DisbursementStatus;
  externalRef: string;
  transactionId: string | null;
  reason: string | null;
  createdAt: string;
  updatedAt: string;
}

export type PushedRow = { index: number } & (
  | { status: 'ok'; disbursement: Disbursement; idempotentReplay: boolean }
  | { status: 'error'; error: string; message?: string }
);

export interface DisbursementQuery {
  limit?: number;
  cursor?: string;
  status?: DisbursementStatus;
  payeeId?: string;
  externalRef?: string;
  transactionId?: string;
}

export interface Withdrawal {
  released: number;
  releasedCents: number;
  awaitingFunding: number;
  held: number;
  failed: number;
  payoutLink?: string;
}

export interface Balance {
  withdrawableCents: number;
  onTheWayCents: number;
  actionNeededCents: number;
  landedCents: number;
  heldBelowMinimumCents: number;
  minPayoutCents: number;
  provider: string | null;
  currency: string;
}

export interface RecoveryLink {
  replacementTransactionId: string;
  linked: number;
  disbursementIds: string[];
  idempotentReplay: boolean;
}
