/** How long after a payout came to rest its rail is asked once more: it may have moved the money after all, and tell nobody. */
import type { Payout } from './payout';

export const SECOND_LOOK_SECONDS = [20, 50, 100, 150, 300, 600, 3_600, 86_400] as const;

export const mayMoveAfterAll = ({ status, submittedAt }: Payout): boolean =>
  submittedAt !== null && (status === 'failed' || status === 'held');

/** `also`: other times to ask at. null: it was asked often enough. */
export function secondsToNextLook({ updatedAt }: Payout, now: Date, also: Date[] = []): number | null {
  const times = SECOND_LOOK_SECONDS.map((seconds) => updatedAt.getTime() + seconds * 1000);
  const left = [...times, ...also.map((at) => at.getTime())].map((at) => Math.ceil((at - now.getTime()) / 1000));
  const ahead = left.filter((seconds) => seconds > 0);
  return ahead.length === 0 ? null : Math.min(...ahead);
}
