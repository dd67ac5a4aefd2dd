/** When an event is attempted again, and for how long a receiver that keeps failing is left alone. */
import { backoffSeconds } from '#libs/domain';

export const MAX_ATTEMPTS = 8;
const BETWEEN_ATTEMPTS = { firstSeconds: 60, capSeconds: 3_600 };
/** Of each wait; so that what failed together does not come back together. */
const JITTER = 0.1;

/** At least as long as promised, and never over the promised hour. null after the last attempt. */
export function secondsToNext(attemptsMade: number, random: () => number = Math.random): number | null {
  if (attemptsMade >= MAX_ATTEMPTS) return null;
  const seconds = backoffSeconds(BETWEEN_ATTEMPTS, attemptsMade);
  return Math.min(seconds * (1 + JITTER * random()), BETWEEN_ATTEMPTS.capSeconds);
}

/** So many attempts in a row, of whatever events, must have failed. */
export const REST_AFTER_FAILURES = 10;
export const REST = { firstSeconds: 60, capSeconds: 3_600, jitter: JITTER };
