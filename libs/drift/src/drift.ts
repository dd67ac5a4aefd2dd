/** Where a rail and we disagree about money. Found by comparing what the rail says it moved with what we know. */
export const DRIFT_KINDS = ['unknown_here', 'amount_differs', 'not_paid_here', 'not_moved_there'] as const;
export type DriftKind = (typeof DRIFT_KINDS)[number];

export interface Drift {
  id: string;
  rail: string;
  railKey: string;
  kind: DriftKind;
  payoutId: string | null;
  providerRef: string | null;
  railCents: number | null;
  railCurrency: string | null;
  ourCents: number | null;
  ourCurrency: string | null;
  ourStatus: string | null;
  /** false: a rail took it on, and had not moved its money yet. */
  hasMoved: boolean;
  /** The bank's fee on money that it sent back; null if none came back. */
  liftingFeeCents: number | null;
  /** What its rail said last of that money; null if nobody heard that. */
  said: RailWord | null;
  /** When it was asked that, or its list had it; null if nobody wrote that down. */
  saidAt: Date | null;
  foundAt: Date;
  resolvedAt: Date | null;
  /** The operator; null if the difference went away by itself. */
  resolvedBy: string | null;
  note: string | null;
}

/** The bank sent money back; whether it was ever called paid here is another question. */
export const cameBack = ({ liftingFeeCents }: Drift): boolean => liftingFeeCents !== null;

/** It failed here, and an operator found that its money arrived, and not that it came back since: of a payout in a statement. */
export const CALLED_PAID = `payouts.status = 'failed' AND 'found_landed' = (
  SELECT type FROM payout_trail WHERE payout_id = payouts.id AND type IN ('found_landed', 'found_returned')
  ORDER BY sequence DESC LIMIT 1)`;

/**
 * It came back, was out again, and an operator found its money at its payee: its rows are paid, which were on a payout before. Looked up by the
 * index on those, for it is read with every payout.
 */
export const CALLED_PAID_AGAIN = `payouts.status = 'returned' AND (SELECT true FROM disbursements AS row
  WHERE row.transaction_id = payouts.id AND row.earlier <> '{}' AND row.status = 'paid' LIMIT 1) IS NOT NULL`;

/** It is out, it came back, or nothing of it moved. */
export const RAIL_WORDS = ['out', 'back', 'no'] as const;
export type RailWord = (typeof RAIL_WORDS)[number];

/** A word, and when its rail was asked for it; null: now. */
export interface Word {
  said: RailWord;
  at: Date | null;
}

/** What it was found as, in a statement: nobody heard more of it. */
export const FOUND_AS = `CASE WHEN known.lifting_fee_cents IS NOT NULL THEN 'back' WHEN known.rail_cents > 0 THEN 'out' END`;

/** One with a time, and no word, is of a list that has the money as out. */
export type NewDrift = Omit<Drift, 'id' | 'said' | 'saidAt' | 'foundAt' | 'resolvedAt' | 'resolvedBy' | 'note'> &
  Partial<Pick<Drift, 'said' | 'saidAt'>>;
