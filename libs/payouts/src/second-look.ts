/** How long after a payout came to rest its rail is asked once more: it may have moved the money after all, and tell nobody. */
import type { Payout } from './payout';

export const SECOND_LOOK_SECONDS = [20, 50, 600, 3_600, 86_400] as const;

export const mayMoveAfterAll = ({ status, submittedAt }: Payout): boolean =>
  submittedAt !== null && (status === 'failed' || status === 'held');

/** null: it was asked often enough. */
export function secondsToNextLook({ updatedAt }: Payout, now: Date): number | null {
  const rested = (now.getTime() - updatedAt.getTime()) / 1000;
  const next = SECOND_LOOK_SECONDS.find((seconds) => seconds > rested);
  return next === undefined ? null : Math.ceil(next - rested);
}
