/** How often a call was made under one key, counted before each time; and how often Circle said that it did nothing. */

import { IN_DOUBT_FOR_MS } from '#libs/rail-kit';

// A type and not an interface: only that is part of a record of the store.
export type Sendings = {
  sent: number;
  turnedAway: number;
  /** The last one that nobody has heard an answer to. */
  sentAt: string | null;
  /** The one before that. */
  doubtAt: string | null;
  /** Calls up to this number count as turned away, whatever is heard about them later. Missing in older records. */
  countedTo?: number;
};

export const UNSENT: Sendings = { sent: 0, turnedAway: 0, sentAt: null, doubtAt: null };

/** Before the call: whoever dies in the middle of it leaves a doubt behind. */
export function sentOnceMore<T extends Sendings>(before: T, now: Date): T {
  const next = { ...before, sent: before.sent + 1, sentAt: now.toISOString() };
  if (!isUnsent(before)) return { ...next, doubtAt: before.sentAt };
  // Also if older code counted them, which does not say which ones. It may have counted one too often: that must not stand for this call.
  return { ...next, doubtAt: null, turnedAway: before.sent, countedTo: before.sent };
}

/**
 * Circle did nothing with this call; `which` counts from one. Earlier calls from long ago, which are listed nowhere, came to nothing as well:
 * only the last call can tell, because the times kept are its own and those of the one before.
 */
export function turnedAway<T extends Sendings>(before: T, which: number, now: Date): T {
  // It was counted with a later one already. Counted twice, it would stand for a call that may have worked.
  if (isUnsent(before) || which <= (before.countedTo ?? 0)) return before;
  if (which !== before.sent) return { ...before, turnedAway: before.turnedAway + 1 };
  const sentAt = before.doubtAt ?? before.sentAt;
  const isLongAgo = before.doubtAt !== null && !isFresh(before.doubtAt, now);
  if (isLongAgo) return { ...before, turnedAway: which, countedTo: which, sentAt };
  return { ...before, turnedAway: before.turnedAway + 1, sentAt };
}

/** Circle said of every call that it did nothing. */
export const isUnsent = ({ sent, turnedAway: away }: Sendings): boolean => away >= sent;

/** Something may have come of it that Circle does not list yet. */
export const isInDoubt = (each: Sendings, now: Date): boolean => !isUnsent(each) && isFresh(each.sentAt, now);

export const isFresh = (at: string | null, now: Date): boolean =>
  at !== null && now.getTime() - Date.parse(at) < IN_DOUBT_FOR_MS;
