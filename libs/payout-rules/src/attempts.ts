/**
 * The sends of a payout, each with a number that is written before the call. The numbers decide who still has a say: an
 * answer speaks of the attempt it belongs to, and a refusal ends a payout only if no other attempt can still move money.
 */
import { newId } from '#libs/domain';
import type { LookupFact, RailTraits } from '#libs/rail-kit';
import { legsWithAttempt, sameLegs } from './legs';
import { isRemembered } from './memory';
import type { OpenAttempt, Payout, PayoutChange } from './payout';
import { withFacts } from './payout';

/** An attempt that has not begun its call by then has lost its turn. A job's lease, of 6 seconds, outlives it. */
const BEGIN_WITHIN_MS = { job: 4_000, request: 15_000 };

/** No call goes on for so long: a caller of rails gives up after 20 seconds, and aborts. */
const OVER_AFTER_MS = 45_000;

/**
 * The next send is this caller's: it makes the call once the change is committed. `isRefused`: its rail refused what was sent so far, and
 * that ended nothing.
 */
export function withAttempt(change: PayoutChange, now: Date, isRefused = false): PayoutChange {
  const { attempt, openAttempts, codeSince } = change.after;
  const taken = { attempt: attempt + 1, takenAt: now.toISOString(), mark: newId() };
  const earlier = isRefused ? openAttempts.map((open) => ({ ...open, refusedSince: true })) : openAttempts;
  return withFacts(change, {
    toSend: false,
    legs: legsWithAttempt(change.after, taken.attempt, now),
    attempt: taken.attempt,
    openAttempts: [...earlier, taken],
    codeSince: codeSince ?? now,
  });
}

export const isOpen = ({ openAttempts }: Payout, attempt: number): boolean =>
  openAttempts.some((open) => open.attempt === attempt);

/**
 * A database that forgot a send gives its number to a later one. Earlier versions left no mark: then the times tell, which a client's clock for tests
 * makes older.
 */
const isSame = (open: OpenAttempt, asked: OpenAttempt): boolean =>
  open.attempt === asked.attempt &&
  (open.mark && asked.mark ? open.mark === asked.mark : open.takenAt <= asked.takenAt);

/** The very send that was asked about has no answer yet. */
export const isStillOpen = ({ openAttempts }: Payout, asked: Payout): boolean =>
  asked.openAttempts.some((one) => one.attempt === asked.attempt && openAttempts.some((open) => isSame(open, one)));

/** Its number is that of another send by now. */
export const isForgotten = (payout: Payout, asked: Payout): boolean =>
  isOpen(payout, asked.attempt) && !isStillOpen(payout, asked);

/** An answer counts for the payout as it stood when the question was put: what is on record since then is no step, maybe. */
export const isAsAsked = (payout: Payout, asked: Payout): boolean =>
  payout.id === asked.id &&
  payout.sequence === asked.sequence &&
  payout.attempt === asked.attempt &&
  payout.acceptedAttempt === asked.acceptedAttempt &&
  payout.calledPaidAgain === asked.calledPaidAgain &&
  payout.sentElsewhere === asked.sentElsewhere && // another account was asked
  payout.consolidates === asked.consolidates && // rows that were linked to it may have been paid under another code
  sameLegs(payout, asked) &&
  payout.openAttempts.length === asked.openAttempts.length &&
  payout.openAttempts.every((open) => asked.openAttempts.some((one) => isSame(open, one)));

/** Payouts of rows may share their code with an earlier one, of which the rail may speak. */
export const isOnlyAttempt = ({ attempt, consolidates }: Payout): boolean => attempt === 1 && !consolidates;

/**
 * The last send has no answer on record, and the rail, which took none on so far, may be answering an earlier one. Once it took one on,
 * a refusal is about that one, however often it was sent again: it counts as soon as no call can be under way.
 */
export const mayBeOfAnEarlierAttempt = (payout: Payout): boolean =>
  isOpen(payout, payout.attempt) && payout.acceptedAttempt === null && !isOnlyAttempt(payout);

/** Such a refusal ends nothing: its own job makes the last send again. */
export const isForItsOwnJob = (payout: Payout, fact: LookupFact): boolean =>
  payout.status === 'submitted' && fact.kind === 'refused' && mayBeOfAnEarlierAttempt(payout);

export const without = ({ openAttempts }: Payout, attempt: number): OpenAttempt[] =>
  openAttempts.filter((open) => open.attempt !== attempt);

/** Those whose call may still be under way: whoever makes it may be slow, or frozen, or gone. */
export const underWay = (attempts: OpenAttempt[], now: Date): OpenAttempt[] =>
  attempts.filter(({ takenAt }) => now.getTime() - Date.parse(takenAt) < OVER_AFTER_MS);

/** When the last of these calls is over at the latest; null if all are. */
export function secondsUntilOver({ openAttempts }: Payout, now: Date): number | null {
  const left = underWay(openAttempts, now).map(({ takenAt }) => Date.parse(takenAt) + OVER_AFTER_MS - now.getTime());
  return left.length === 0 ? null : Math.ceil(Math.max(...left) / 1000);
}

interface Turn {
  /** When the last attempt was taken on, and until when its call must have begun. */
  takenAt: number;
  beginBefore: number;
}

export function turnOf({ attempt, openAttempts }: Payout, by: keyof typeof BEGIN_WITHIN_MS): Turn {
  const taken = openAttempts.find((open) => open.attempt === attempt)?.takenAt;
  const takenAt = taken ? Date.parse(taken) : 0;
  return { takenAt, beginBefore: taken ? takenAt + BEGIN_WITHIN_MS[by] : 0 };
}

type Sent = Pick<Payout, 'codeSince' | 'submittedAt' | 'acceptedAttempt' | 'sentElsewhere'>;

/**
 * Past the time for which the rail honours a code, sending it again could pay again: then the rail is only asked. Earlier versions left no
 * `codeSince` on what a rail refused and took on after all: that counts from its submission.
 */
export function isCodeHonoured(
  { codeSince, submittedAt, acceptedAttempt, sentElsewhere }: Sent,
  traits: RailTraits | null,
  now: Date,
): boolean {
  return !sentElsewhere && isRemembered(codeSince ?? (acceptedAttempt === null ? null : submittedAt), traits, now);
}

/**
 * The rail's definite no to everything that was sent: it refused it, or never saw it, and would remember the first send. It cannot
 * tell about sends that it may have forgotten, or that used another account.
 */
export function isNo(
  { codeSince, submittedAt, sentElsewhere }: Sent,
  fact: LookupFact,
  traits: RailTraits | null,
  now: Date,
): boolean {
  if (fact.kind !== 'never_seen') return fact.kind === 'refused';
  return !sentElsewhere && isRemembered(codeSince ?? submittedAt, traits, now);
}
