/** A call that moves money, for as long as it is wanted: its rail may take its time before anything leaves. */
import { deadlineIn } from '#libs/domain';
import { log } from '#libs/telemetry';
import type { CallOff } from './in-time';

/** Most calls are over by then, and nobody has to look. */
const LOOKS_EVERY_MS = 1_000;

/** What was seen longer ago is too old, as if its process stood still or its database says nothing: nothing more is sent before it was seen again. */
const SEEN_FOR_MS = 3_000;

/**
 * It waited before it began: for its turn, for credentials to be verified anew, or because its process stood still. Most do not, and nobody has to
 * look.
 */
export const hasWaited = (takenAt: number, now: Date): boolean => now.getTime() - takenAt > LOOKS_EVERY_MS;

const TOO_OLD =
  'called off: its process stood still, or its database said nothing for seconds, and whom it pays may be stopped by now';

/** Whether what is called for would not be sent any more, if it came to that now. */
export type IsStopped = () => Promise<boolean>;

/** `isStopped`: left out, nobody stops it, but whoever stood still sends no more. `signal`: nobody waits for the answer any more. */
export async function whileWanted<Answer>(
  isStopped: IsStopped | undefined,
  { signal, callOff }: { signal: AbortSignal; callOff: CallOff },
  work: () => Promise<Answer>,
): Promise<Answer> {
  let isLooking = false;
  let isTooOld = deadlineIn(SEEN_FOR_MS);
  callOff(TOO_OLD, () => isTooOld());
  const look = async (isStopped: IsStopped): Promise<void> => {
    isLooking = true;
    const sinceAsked = deadlineIn(SEEN_FOR_MS); // the answer may lie there while the process stands still
    try {
      if (await isStopped()) callOff('called off: its payee, its country or its client was stopped meanwhile');
      else if (!sinceAsked()) isTooOld = sinceAsked;
    } catch (error) {
      const fields = { event: 'rail.not_looked', error: (error as Error).message };
      log.warn(fields, 'nobody can say now whether a call is still wanted: it is looked at again in a second');
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(() => {
    if (isStopped && !isLooking) void look(isStopped);
    else if (!isStopped && !isTooOld()) isTooOld = deadlineIn(SEEN_FOR_MS);
  }, LOOKS_EVERY_MS);
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
