/** How long after a payout came to rest its rail is asked once more: it may have moved the money after all, and tell nobody. */
import type { Payout } from './payout';

export const SECOND_LOOK_SECONDS = [20, 50, 100, 150, 300, 600, 3_600, 86_400] as const;

export const mayMoveAfterAll = ({ status, submittedAt }: Payout): boolean =>
  submittedAt !== null && (status === 'failed' || status === 'held');

const DAY_SECONDS = 86_400;

/**
 * `also`: other times to ask at. `soon`: in how many seconds if this time nobody answered, or its rail was not to be asked. null: it was asked often
 * enough.
 */
export function secondsToNextLook(
  { updatedAt }: Payout,
  now: Date,
  also: Date[] = [],
  soon: number | null = null,
): number | null {
  const times = SECOND_LOOK_SECONDS.map((seconds) => updatedAt.getTime() + seconds * 1000);
  const left = [...times, ...also.map((at) => at.getTime())].map((at) => Math.ceil((at - now.getTime()) / 1000));
  const ahead = left.filter((seconds) => seconds > 0);
  if (ahead.length === 0) return soon === null ? null : DAY_SECONDS;
  return Math.min(...ahead, soon ?? Infinity);
}
