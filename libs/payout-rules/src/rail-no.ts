/** When a rail says that it moved nothing for what failed, and will not: what that is, and that it was heard. */
import { reasonCodeOf } from '#libs/domain';
import type { NewDrift } from '#libs/drift';
import type { LookupFact, RailTraits } from '#libs/rail-kit';
import { isCodeHonoured, isNo } from './attempts';
import { hasSentLegs } from './legs';
import { type Payout, type PayoutChange, withFacts } from './payout';
import type { Report } from './rail-report';

/** Of the time for which a rail remembers a code: what it says from then on is its last word before it may forget. */
const LAST_PART = 0.8;
/** When it is asked for that. */
const LAST_LOOKS = [0.85, 0.95];

/**
 * Nothing that was sent so far moved, and nothing will. A rail that may have forgotten the code does not take its last word back by saying
 * "never seen"; an earlier refusal does not count any more, because the rail may have moved the money since, and forgotten that too.
 */
export const saysNo = (
  payout: Payout,
  fact: LookupFact,
  traits: RailTraits | null,
  now: Date,
  anew = false, // money was heard of since it said no
): boolean =>
  isNo(payout, fact, traits, now) ||
  (!anew && fact.kind === 'never_seen' && saidNo(payout) && wasLastWord(payout, traits));

/**
 * Whether sending a payout at rest again would move nothing twice, given the rail's answer. A rail that has forgotten the code would take
 * it for a new one, unless it says that it refused it. A rail that cannot be asked may have accepted what it refused at first: then the
 * first call, under its old code, would pay nothing twice, but calls that followed it would. If the rail has the money, the news is to
 * be learned, and nothing is sent.
 */
export function mayBeSentAgain(payout: Payout, fact: LookupFact, traits: RailTraits | null, now: Date): boolean {
  const ever = { ...payout, codeSince: payout.submittedAt };
  if (fact.kind === 'unknown') return !hasSentLegs(payout) && isCodeHonoured(ever, traits, now);
  if (fact.kind !== 'never_seen') return true;
  return !payout.sentElsewhere && saysNo(payout, fact, traits, now); // a last word of the account before lets its rows leave, under another code
}

/** Since it failed, and nothing became of it since. */
export const saidNo = ({ clearedAt, updatedAt }: Payout): boolean => clearedAt !== null && clearedAt >= updatedAt;

/** An operator says so. It counts if the rail has forgotten the payout; if it cannot be asked, only that it never saw it. */
const isGivenUp = ({ status, statusReason }: Payout): boolean =>
  status === 'failed' && reasonCodeOf(statusReason) === 'given_up';

/** An admin found that out, whatever the rail says; of what came back, that it is not out again. */
export const isNeverSeen = (payout: Payout): boolean =>
  payout.neverSeen && (payout.status === 'returned' || isGivenUp(payout));

/** Money was heard of since: what its rail or an admin had said of it was not the last word, even if a list closes the difference. */
export const withoutLastWord = (change: PayoutChange, heard: NewDrift[]): PayoutChange =>
  heard.some(({ said }) => said === 'out') && (change.after.neverSeen || saidNo(change.after))
    ? withFacts(change, { neverSeen: false }) // and it changed since it was cleared
    : change;

/**
 * An operator's finding counts like a rail's answer: if it came early, the money may have moved since, and been forgotten. If the payout
 * was sent with another account, only an admin's word counts: the rail that is asked now knows nothing of it.
 */
export function isGivenUpAtLast(payout: Payout, traits: RailTraits | null): boolean {
  if (isNeverSeen(payout)) return true;
  return !payout.sentElsewhere && isGivenUp(payout) && isLastWordAt(payout.updatedAt, payout, traits);
}

/** The asker may have stood still since, and the rail may have moved the money: an older answer does not permit a send. */
const ANSWER_COUNTS_MS = 10_000;

export const isOldAnswer = (askedAt: Date, now: Date): boolean => now.getTime() - askedAt.getTime() >= ANSWER_COUNTS_MS;

/** A no is of the time at which it was asked for, however late it is heard, and of the payout as it was then: not even a fact came since. */
export const isUntouched = (one: Payout, other: Payout): boolean =>
  one.status === 'failed' &&
  one.sequence === other.sequence &&
  one.attempt === other.attempt &&
  one.updatedAt.getTime() === other.updatedAt.getTime();

/**
 * What an answer says of that: a no is written down once, and once more when it is the last word. Having forgotten the code is none in its own right: it
 * takes back nothing that was heard after the last word.
 */
export function noIn(
  payout: Payout,
  fact: LookupFact,
  { traits, now, askedAt }: { traits: RailTraits | null; now: Date; askedAt?: Date },
): Pick<Report, 'isNo' | 'noAt'> {
  const isNew = askedAt !== undefined && saysNo(payout, fact, traits, now) && isNewNo(payout, traits, askedAt);
  return { isNo: isNo(payout, fact, traits, now), noAt: isNew ? askedAt : undefined };
}

function isNewNo(payout: Payout, traits: RailTraits | null, askedAt: Date): boolean {
  const from = inMemory(payout, traits, LAST_PART);
  return !saidNo(payout) || (from !== null && askedAt >= from && !wasLastWord(payout, traits));
}

const wasLastWord = (payout: Payout, traits: RailTraits | null): boolean =>
  isLastWordAt(payout.clearedAt, payout, traits);

/** A rail that never forgets can say it any time, but for what it was sent with another account. */
function isLastWordAt(at: Date | null, payout: Payout, traits: RailTraits | null): boolean {
  const from = inMemory(payout, traits, LAST_PART);
  return from === null ? !payout.sentElsewhere : at !== null && at >= from;
}

/** When its rail is to be asked for its last word; none if it never forgets. */
export const lastLooks = (payout: Payout, traits: RailTraits | null): Date[] =>
  LAST_LOOKS.flatMap((part) => inMemory(payout, traits, part) ?? []);

/** So far into the time for which its rail remembers the code. */
function inMemory({ codeSince, submittedAt }: Payout, traits: RailTraits | null, part: number): Date | null {
  const retention = traits?.keyRetentionSeconds ?? null;
  const since = codeSince ?? submittedAt;
  return retention === null || since === null ? null : new Date(since.getTime() + part * retention * 1000);
}
