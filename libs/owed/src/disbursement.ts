/** A row of the ledger of what is owed: pushed by the caller under its own reference, paid by the payout it is attached to. */
import type { DisbursementStatus } from '#libs/domain';

export interface Disbursement {
  id: string;
  clientId: string;
  payeeId: string;
  /** The payee's address as it is now; read with the row. */
  email: string | null;
  externalRef: string;
  amountCents: number;
  currency: string;
  reason: string | null;
  status: DisbursementStatus;
  /** The payout it is attached to now, or was last. */
  transactionId: string | null;
  /** Those it was on before. */
  earlier: string[];
  /** It was attached by a recovery link, and not by a withdrawal. */
  linked: boolean;
  createdAt: Date;
  updatedAt: Date;
}

/** How an operator can decide about the rows of a payout whose money we and its rail disagree about. */
export const DISPUTED_ROWS = ['owed', 'paid'] as const;
export type DisputedRows = (typeof DISPUTED_ROWS)[number];

/** Returned money is owed again, under a reference that says which payout it came from. */
const RESTORED = 'return:';

export const restoredRef = (transactionId: string): string => `${RESTORED}${transactionId}`;

/** Only the service itself may write such a reference: a bounce must always find its own free. */
export const isReservedRef = (externalRef: string): boolean => externalRef.startsWith(RESTORED);
