/**
 * A rail that hints at news may know of it before its look-ups do. If they say nothing new, the payout is asked about again some
 * times, counted from when the question was raised.
 */
import type { LookupFact } from '#libs/rail-kit';
import type { Payout } from './payout';
import { mayMoveAfterAll, secondsToNextLook } from './second-look';

/** Twice in the first minute: money of what failed is to be known of by then, also where nobody lists it. */
const AFTER_SECONDS = [20, 50, 600, 3_600] as const;

/** Of a payout that came to rest, and is as it was before the answer. */
export function saysNothingNew(before: Payout, after: Payout, { kind }: LookupFact): boolean {
  if (before.sequence !== after.sequence) return false;
  if (after.status === 'paid') return kind !== 'bounced';
  if (after.status === 'returned') return kind === 'bounced';
  return mayMoveAfterAll(after);
}

/** null: it was asked often enough, or will be asked by then anyway. */
export function secondsToAskAgain(payout: Payout, raisedAt: Date, now: Date): number | null {
  const passed = (now.getTime() - raisedAt.getTime()) / 1000;
  const next = AFTER_SECONDS.find((seconds) => seconds > passed);
  if (next === undefined) return null;
  const seconds = Math.ceil(next - passed);
  const secondLook = mayMoveAfterAll(payout) ? secondsToNextLook(payout, now) : null;
  return secondLook !== null && secondLook <= seconds ? null : seconds;
}
