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

/** Money that leaves one bucket, enters another, or both; and the day whose cap it counts against, or does no longer. */
export interface BalanceMove extends BalanceKey {
  cents: number;
  from?: Bucket;
  to?: Bucket;
  fromDay?: string | null;
  toDay?: string | null;
}

/** How much of a day counts against a payee's cap. */
export interface DayUse extends BalanceKey {
  cents: number;
}

/** What changes of one balance, and of the newest day that is concerned: nobody looks at the days before. */
export type BalanceChange = Balance & { day: string | null; dayCents: number };

/** One row of changes for each payee and currency; none if nothing changes. */
export function summed(moves: BalanceMove[]): BalanceChange[] {
  const sums = new Map<string, BalanceChange>();
  for (const { payeeId, currency, cents, from, to, fromDay, toDay } of moves) {
    if (from === to && fromDay === toDay) continue;
    const key = `${payeeId} ${currency}`;
    const sum = sums.get(key) ?? { payeeId, currency, ...NOTHING, day: null, dayCents: 0 };
    if (from) sum[from] -= cents;
    if (to) sum[to] += cents;
    if (fromDay !== toDay) {
      if (fromDay) addToDay(sum, fromDay, -cents);
      if (toDay) addToDay(sum, toDay, cents);
    }
    sums.set(key, sum);
  }
  return [...sums.values()];
}

function addToDay(sum: BalanceChange, day: string, cents: number): void {
  if (sum.day === null || sum.day < day) Object.assign(sum, { day, dayCents: cents });
  else if (sum.day === day) sum.dayCents += cents;
}

const NOTHING: Record<Bucket, number> = {
  withdrawableCents: 0,
  onTheWayCents: 0,
  actionNeededCents: 0,
  heldBelowMinimumCents: 0,
  landedCents: 0,
};

export const emptyBalance = (key: BalanceKey): Balance => ({ ...key, ...NOTHING });
