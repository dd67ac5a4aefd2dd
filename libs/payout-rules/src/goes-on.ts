/** A payout that is held for a passing cause goes on by itself when the cause is gone: nobody has to release it. */
import { type KnownReason, reasonCodeOf, statusReason } from '#libs/domain';
import { waitsForTest } from './held-by-test';
import type { Payout } from './payout';

type Held = Pick<Payout, 'status' | 'statusReason' | 'supersededBy' | 'testMode' | 'reason'>;

const PASSES: string[] = ['below_min_payout', 'cap_exceeded_daily', 'insufficient_funds'] satisfies KnownReason[];

export const IN_DISPUTE =
  'a rail says that it moved money for it, or for an earlier payout of its rows; the operator has to look';

export const HELD_IN_DISPUTE = statusReason('route_blocked', IN_DISPUTE);

/** `autoRelease`: for what else its client lets it. */
export function goesOnByItself(payout: Held, autoRelease: readonly string[] = []): boolean {
  const { status, statusReason: reason, supersededBy } = payout;
  const code = reasonCodeOf(reason) ?? '';
  const passes = PASSES.includes(code) || autoRelease.includes(code) || reason === HELD_IN_DISPUTE;
  return status === 'held' && supersededBy === null && passes && !waitsForTest(payout);
}

/**
 * Whether a payout that goes on by itself may pass its floor: its group reached it, or it waited for funds or for a difference, which its
 * floor does not concern. Otherwise the floor counts, because nobody asked for this very payout.
 */
export function isPastFloor({ statusReason: reason }: Pick<Held, 'statusReason'>): boolean {
  const code = reasonCodeOf(reason);
  return code === 'below_min_payout' || code === 'insufficient_funds' || reason === HELD_IN_DISPUTE;
}

/** Of one that was held: neither held again nor failed. */
export const wentOn = ({ status }: Pick<Payout, 'status'>): boolean => status !== 'held' && status !== 'failed';

const REST_SECONDS = { least: 60, most: 6 * 3600 };

/** After its rail sent it back, a payout rests for as long as it has been tried: trying at every look would move money to and fro forever. */
export function hasRested({ submittedAt, updatedAt }: Payout, now: Date): boolean {
  if (submittedAt === null) return true;
  const tried = (updatedAt.getTime() - submittedAt.getTime()) / 1000;
  const rest = Math.min(Math.max(tried, REST_SECONDS.least), REST_SECONDS.most);
  return now.getTime() - updatedAt.getTime() >= rest * 1000;
}
