/** What a prepaid client paid in, and what of it is spent or on its way. Totals are kept; what is available follows. */
export const ENTRY_TYPES = ['deposit', 'adjustment'] as const;
export type EntryType = (typeof ENTRY_TYPES)[number];

export interface WalletEntry {
  id: string;
  clientId: string;
  type: EntryType;
  currency: string;
  /** Negative only for an adjustment. */
  amountCents: number;
  reference: string;
  note: string | null;
  createdAt: Date;
}

export interface Wallet {
  clientId: string;
  currency: string;
  /** Deposits and adjustments. */
  depositedCents: number;
  inFlightCents: number;
  paidCents: number;
  feeCents: number;
}

/** How a payout's change moves the totals of its wallet. */
export interface WalletMove {
  clientId: string;
  currency: string;
  inFlightCents: number;
  paidCents: number;
  feeCents: number;
}

export interface WalletKey {
  clientId: string;
  currency: string;
}

export function availableCents({ depositedCents, inFlightCents, paidCents, feeCents }: Wallet): number {
  return depositedCents - inFlightCents - paidCents - feeCents;
}

export const walletKey = ({ clientId, currency }: WalletKey): string => `${clientId} ${currency}`;

/** One move for each wallet. */
export function summed(moves: WalletMove[]): WalletMove[] {
  const sums = new Map<string, WalletMove>();
  for (const move of moves) {
    const sum = sums.get(walletKey(move)) ?? { ...move, inFlightCents: 0, paidCents: 0, feeCents: 0 };
    sum.inFlightCents += move.inFlightCents;
    sum.paidCents += move.paidCents;
    sum.feeCents += move.feeCents;
    sums.set(walletKey(move), sum);
  }
  return [...sums.values()];
}

/** Money came back that other payouts may wait for. */
export function frees({ inFlightCents, paidCents, feeCents }: WalletMove): boolean {
  return inFlightCents + paidCents + feeCents < 0;
}
