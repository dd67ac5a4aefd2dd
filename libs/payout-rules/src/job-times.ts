/** In how many seconds a payout's job is due. */
import { legToSend, secondsUntilDue } from './legs';
import type { Payout } from './payout';

/** By then the request that sends it is mostly over; if it is not, the job may send it too, under the same code. */
const AFTER_A_CRASH_SECONDS = 5;
const FIRST_QUESTION_SECONDS = 2;
const RETRY_SECONDS = { least: 60, most: 6 * 3600 };

export function delayOf(payout: Payout, now: Date): number {
  const { status, toSend, openAttempts } = payout;
  const leg = legToSend(payout);
  if (leg) return secondsUntilDue(leg, now);
  if (status === 'authorized' || toSend) return 0;
  return openAttempts.length > 0 ? AFTER_A_CRASH_SECONDS : FIRST_QUESTION_SECONDS;
}

/** Until it is sent again: as long as it has been waiting already. */
export function secondsToRetry({ submittedAt }: Payout, now: Date): number {
  const waited = submittedAt ? Math.floor((now.getTime() - submittedAt.getTime()) / 1000) : 0;
  return Math.min(Math.max(waited, RETRY_SECONDS.least), RETRY_SECONDS.most);
}
