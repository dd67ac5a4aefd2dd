/** Payouts wait for a floor by group: one payee's, on one rail, in one currency. */
import { reasonCodeOf } from '#libs/domain';
import type { Payout } from './payout';

export type FloorGroup = Pick<Payout, 'payeeId' | 'provider' | 'currency'>;

export interface FloorSum extends FloorGroup {
  /** Of those that may leave. */
  cents: number;
  leaving: number;
  payouts: number;
}

export function groupOf({ payeeId, provider, currency }: FloorGroup): string {
  return `${payeeId} ${provider} ${currency}`;
}

/** Where it waits now: what was never sent goes over the rail that its payee is paid over by now. */
export function groupNow(
  payout: FloorGroup & Pick<Payout, 'submittedAt'>,
  payee: Pick<Payout, 'provider'>,
): FloorGroup {
  const { payeeId, currency, provider } = payout;
  return { payeeId, currency, provider: payout.submittedAt === null ? payee.provider : provider };
}

export function waitsForFloor({ status, statusReason }: Pick<Payout, 'status' | 'statusReason'>): boolean {
  return status === 'held' && reasonCodeOf(statusReason) === 'below_min_payout';
}

export const centsOf = (payouts: Pick<Payout, 'amountCents'>[]): number =>
  payouts.reduce((sum, { amountCents }) => sum + amountCents, 0);

/** Payouts whose groups reach their floors by these payouts, plus so much beside: money that cannot leave now lifts no others over a floor. */
export function reachingFloor<T extends { payout: Pick<Payout, 'amountCents'>; group: FloorGroup }>(
  ready: T[],
  besideCents: number,
  floorOf: (one: T) => number,
): T[] {
  const cents = new Map<string, number>();
  for (const { payout, group } of ready)
    cents.set(groupOf(group), (cents.get(groupOf(group)) ?? besideCents) + payout.amountCents);
  return ready.filter((one) => (cents.get(groupOf(one.group)) ?? 0) >= floorOf(one));
}

/**
 * Those whose whole group is there: one that is left behind would be below the floor alone. In portions of so many at most, unless one group alone
 * is larger.
 */
export function ofWholeGroups<T>(
  there: T[],
  sums: FloorSum[],
  groupNowOf: (one: T) => FloorGroup,
  most: number,
): T[][] {
  const groups = new Map<string, T[]>(sums.map((sum) => [groupOf(sum), []]));
  for (const one of there) groups.get(groupOf(groupNowOf(one)))?.push(one);
  const portions: T[][] = [];
  for (const sum of sums) {
    const group = groups.get(groupOf(sum)) ?? [];
    if (group.length !== sum.leaving) continue;
    const last = portions.at(-1);
    if (last && last.length + group.length <= most) last.push(...group);
    else portions.push(group);
  }
  return portions;
}

/** Groups that reach their floors, the smallest first: a very large group must not hold up the others. */
export function asManyAsGo(most: number, sums: FloorSum[], floorOf: (sum: FloorSum) => number): FloorSum[] {
  let payouts = 0;
  return sums
    .filter((sum) => sum.cents >= floorOf(sum))
    .sort((a, b) => a.payouts - b.payouts)
    .filter((sum) => {
      payouts += sum.payouts;
      return payouts <= most;
    });
}
