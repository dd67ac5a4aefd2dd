/** What a payee's money comes to in one currency: every cent stands in exactly one bucket. */
export const BUCKETS = [
  /** Owed, and not on any payout. */
  'withdrawableCents',
  /** On a payout that goes on without the payee. */
  'onTheWayCents',
  /** On a payout that the payee must claim or withdraw. */
  'actionNeededCents',
  /** On a payout that waits for nothing but the floor of its rail. */
  'heldBelowMinimumCents',
  /** Paid, and not sent back. */
  'landedCents',
] as const;
export type Bucket = (typeof BUCKETS)[number];

export interface BalanceKey {
  payeeId: string;
  currency: string;
}

export type Balance = BalanceKey & Record<Bucket, number>;

/** Money that leaves one bucket, enters another, or both. */
export interface BalanceMove extends BalanceKey {
  cents: number;
  from?: Bucket;
  to?: Bucket;
}

/** One row of changes for each payee and currency; none if nothing changes. */
export function summed(moves: BalanceMove[]): Balance[] {
  const sums = new Map<string, Balance>();
  for (const { payeeId, currency, cents, from, to } of moves) {
    if (from === to) continue;
    const key = `${payeeId} ${currency}`;
    const sum = sums.get(key) ?? { payeeId, currency, ...NOTHING };
    if (from) sum[from] -= cents;
    if (to) sum[to] += cents;
    sums.set(key, sum);
  }
  return [...sums.values()];
}

const NOTHING: Record<Bucket, number> = {
  withdrawableCents: 0,
  onTheWayCents: 0,
  actionNeededCents: 0,
  heldBelowMinimumCents: 0,
  landedCents: 0,
};

export const emptyBalance = (key: BalanceKey): Balance => ({ ...key, ...NOTHING });
