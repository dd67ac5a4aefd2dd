/**
 * What a rail says of a payout at rest whose rows are to leave under another code, beside what was said of it before. Words of before money was heard of
 * count no more: of its rail, of an admin, who found that it never saw the payout, or of an operator, who gave it up.
 */
import type { HeardOf } from '#libs/drift';
import type { LookupFact, RailTraits } from '#libs/rail-kit';
import { type EarlierAnswer, tellsNothing } from './cleared';
import type { Payout } from './payout';
import { isGivenUpAtLast, isNeverSeen, saysNo } from './rail-no';

export interface SaidOfEarlier {
  payout: Payout;
  fact: LookupFact;
  /** As it is once the rail was asked, for an operator may decide meanwhile. */
  heard: HeardOf | null;
  traits: RailTraits | null;
  now: Date;
}

/** It says itself what became of it, so nothing of before matters. */
export const isWord = ({ kind }: LookupFact): boolean => kind !== 'unknown' && kind !== 'never_seen';

/** By nobody: neither by its rail nor, since money was last heard of, by an admin. */
export const isUntold = (about: SaidOfEarlier): boolean => !isAdminsNo(about) && isUnanswered(about);

export function answerOf(about: SaidOfEarlier): EarlierAnswer {
  const { payout, fact, heard } = about;
  if (isAdminsNo(about)) return 'no';
  if (isUnanswered(about)) return heard?.wasOutAgain ? 'listed' : 'silent';
  if (isRailsNo(about)) return 'no';
  const isForgotten = fact.kind === 'never_seen';
  // What came back is owed, unless it was out again since and is forgotten by now. If it is said to be out, somebody has to look.
  if (payout.status === 'returned') return isForgotten && heard?.wasOutAgain ? 'forgotten' : 'no';
  if (!isForgotten) return 'yes';
  return isGivenUp(about) ? 'no' : 'forgotten';
}

const isUnanswered = (about: SaidOfEarlier): boolean => tellsNothing(about.payout, about.fact, isRailsNo(about));

const isGivenUp = ({ payout, heard, traits }: SaidOfEarlier): boolean =>
  heard === null && isGivenUpAtLast(payout, traits);

function isRailsNo({ payout, fact, heard, traits, now }: SaidOfEarlier): boolean {
  const isOfBefore = heard !== null && (payout.clearedAt === null || payout.clearedAt < heard.at);
  return saysNo(payout, fact, traits, now, isOfBefore);
}

/** Said before money was heard of it counts no more. What only its list told of leaves the payout as it was, so the times tell. */
const isAdminsNo = ({ payout, fact, heard }: SaidOfEarlier): boolean =>
  !isWord(fact) && isNeverSeen(payout) && (heard === null || heard.outAt < payout.updatedAt);
