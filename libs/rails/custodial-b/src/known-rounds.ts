/** What is written down of the rounds of a payout, and which of them are to be asked about. */
import { MOST_EARLIER_NAMES, type RailCall } from '#libs/rail-kit';

// A type and not an interface: only that is a record of the store.
export type Known = {
  since: string;
  /** As far as Adyen showed, no round before this one lives. */
  round: number;
  /** The last round that Adyen ever showed. Older records do not say. */
  shown?: number;
  /** The last one that Adyen answered to have made, whatever it lists. */
  made?: number;
  /** Those whose first transfer was booked once, with a blank between: no other one can have gone on to a bank. Older records do not say. */
  booked?: string;
  /** Up to which round those are all of them. A look that is put off in the middle leaves the others unsaid. Older records do not say. */
  bookedUpTo?: number;
};

/**
 * Rounds that were over are looked at again, because the bank may have had the money after all: those that can have gone to one, however
 * long ago, and the last few of any kind.
 */
const LOOKS_BACK = MOST_EARLIER_NAMES;
/** Where nobody wrote down which ones were booked. */
const LOOKS_BACK_UNSAID = 40;

/** From there on all of them are. */
export function firstToLookAt(known: Known | null): number {
  const [round, upTo] = [known?.round ?? 1, bookedUpTo(known)];
  const from = upTo === null ? round - LOOKS_BACK_UNSAID : Math.min(round - LOOKS_BACK, upTo + 1);
  return Math.max(1, from);
}

export const lastKnown = (known: Known | null): number => Math.max(known?.round ?? 0, known?.shown ?? 0);

/** All of which something is known, from the first that is to be looked at. */
export function knownRounds(known: Known | null, from: number): number[] {
  const inARow = Array.from({ length: Math.max(0, lastKnown(known) - from + 1) }, (_, nth) => from + nth);
  return [...bookedIn(known).filter((number) => number < from), ...inARow];
}

/** null: nobody wrote down which ones were booked, or a look may have been put off that did. */
export const bookedUpTo = (known: Known | null): number | null =>
  known?.booked === undefined ? null : (known.bookedUpTo ?? null);

export const bookedIn = (known: Known | null): number[] => (known?.booked ?? '').split(' ').filter(Boolean).map(Number);

/** A later round than the first was only remembered when Adyen showed it. */
export function shownSoFar(known: Known | null, call?: RailCall): number {
  // Another account of Adyen shows nothing of it, and that is an answer.
  if (call?.movesNothing === 'sent_elsewhere') return 0;
  return known?.shown ?? (known && known.round > 1 ? known.round : 0);
}
