/** What the gateway tells a webhook. */
import type { FailureKind, KycStatus, StatusWord } from '#libs/domain';

interface EventHead {
  /** The same over all attempts and replays. */
  eventId: string;
  /** Rises with each event of the payout or payee: an older one that arrives later can be left aside. */
  sequence: number;
  occurredAt: string;
}

export interface PayeeUpdated extends EventHead {
  type: 'payee.updated';
  externalId: string;
  payeeId: string;
  payable: boolean;
  kycStatus: KycStatus;
  kycReason: string | null;
}

export interface PayoutStatusChanged extends EventHead {
  type: 'payout.status';
  transactionId: string;
  ref: string | null;
  status: StatusWord;
  providerRef: string | null;
  externalId: string;
  payeeId: string;
  amountCents: number;
  currency: string;
  provider: string | null;
  claimUrl: string | null;
  failureKind: FailureKind | null;
  settledAt: string | null;
  /** On `returned` only. */
  liftingFeeCents?: number;
  restoredCents?: number;
}

export type GatewayEvent = PayeeUpdated | PayoutStatusChanged;
