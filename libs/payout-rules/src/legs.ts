/**
 * The calls of a payout after its first one. Its rail asks for each by name, in answer to a call or a look-up; each is sent under a
 * number of the payout's own, and a key of its own. Answers about a call that another has followed are old news.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Accepted, AwaitingPayee, BegunLeg, Claimed, NextLeg, RailLeg, RailTraits } from '#libs/rail-kit';
import { legKeyOf } from './idempotency';
import { isRemembered } from './memory';
import { type Leg, type Payout, type PayoutChange, withFacts } from './payout';

/** A rail that asks for more than that in one go is wrong about something: its payout waits for somebody to look. */
const MOST_LEGS = 30;
/** A payout may be tried again as often as somebody likes. */
const MOST_KEPT = 60;
/** A call that asks to be repeated is repeated only after this long. */
const AGAIN_SECONDS = 30;
/** A wish that has waited longer than this is asked about again before it is sent. */
const WISH_COUNTS_MS = 60_000;
/** Longer than that. */
const LAG_SECONDS = 120;
const MOST_SECONDS = 7 * 86_400;

/** The one that is under way, or done and not followed by another yet. */
export const currentLeg = ({ legs }: Pick<Payout, 'legs'>): Leg | null => {
  const last = legs.at(-1);
  return last && !last.over ? last : null;
};

/** Its first call was accepted, and more was asked for since. */
export const isInLegs = (payout: Payout): boolean =>
  (payout.status === 'submitted' || payout.status === 'paid') && currentLeg(payout) !== null;

export const legToSend = (payout: Payout): Leg | null => {
  const leg = currentLeg(payout);
  return leg?.toSend ? leg : null;
};

/** It is to be sent, or was sent and has no answer yet: also of a payout that is paid, whose money is pulled back after it bounced. */
export const hasLegUnderWay = (payout: Payout): boolean => {
  const leg = currentLeg(payout);
  return leg !== null && (leg.toSend || leg.said === null);
};

/** Somebody has to see to it: it is sent, or asked about. */
export const isUnderWay = (payout: Payout): boolean =>
  payout.status === 'authorized' ||
  payout.status === 'submitted' ||
  (payout.status === 'paid' && hasLegUnderWay(payout));

/** Which one its last send was of; null: the first call. */
export const legSent = (payout: Payout): Leg | null => {
  const leg = currentLeg(payout);
  return leg && leg.sends > 0 && leg.attempt === payout.attempt ? leg : null;
};

/** Each counts from its own first send, whatever became of the key of another; on a rail that looks before it calls, for ever. */
export const isLegHonoured = ({ firstSentAt }: Leg, traits: RailTraits | null, now: Date): boolean =>
  traits?.looksBeforeCalls === true || isRemembered(firstSentAt === null ? null : new Date(firstSentAt), traits, now);

/** In how many seconds its rail has a use for it; 0: now. */
export const secondsUntilDue = ({ notBefore }: Leg, now: Date): number =>
  notBefore === null ? 0 : Math.max(0, Math.ceil((Date.parse(notBefore) - now.getTime()) / 1000));

/**
 * A paid payout takes more legs only if its rail itself settled it: the money bounced, and has to be pulled back. One that an operator called
 * paid may have been paid by hand. A restored database may know of none of its calls; when it arrived only its rail can have said.
 */
export const mayTakeLegs = ({ status, legs, settledAt }: Payout): boolean =>
  status === 'submitted' || (status === 'paid' && (settledAt !== null || legs.some(({ said }) => said === 'settled')));

/** It is sent under this number. Another first call starts the payout over: what was asked for before is over. */
export function legsWithAttempt(payout: Payout, attempt: number, now: Date): Leg[] {
  const leg = legToSend(payout);
  if (!leg) return legsOver(payout);
  const firstSentAt = leg.firstSentAt ?? now.toISOString();
  return withCurrent(payout, {
    toSend: false,
    notBefore: null,
    attempt,
    sends: leg.sends + 1,
    firstSentAt,
    said: null,
  });
}

/** The call that was to be made under the last number was not made. Said twice it counts once. */
export function legsStillToSend(payout: Payout): Leg[] {
  const leg = currentLeg(payout);
  return leg?.toSend === false ? withCurrent(payout, { toSend: true, unmade: (leg.unmade ?? 0) + 1 }) : payout.legs;
}

/** Somebody took its call on, and did not say that it was not made. */
export const mayHaveLeft = ({ sends, unmade = 0 }: Leg): boolean => sends > unmade;

/** Tried again, it makes these calls under other keys: only its rail can say that nothing of them moved. */
export const hasSentLegs = ({ legs }: Payout): boolean => legs.some(({ sends }) => sends > 0);

/**
 * Its rail asked for it so long ago that it may have been done since: by hand, or before this database was restored. What else became of the
 * payout meanwhile makes that no younger; of a call from before it was kept, its last change is all there is.
 */
export function isOldWish({ updatedAt }: Payout, leg: Leg, now: Date): boolean {
  const wishedAt = leg.wishedAt ? Date.parse(leg.wishedAt) : updatedAt.getTime();
  return secondsUntilDue(leg, now) === 0 && now.getTime() - wishedAt > WISH_COUNTS_MS;
}

/** It was asked about once more, and its rail asks for its call still. */
export const legsWishedAt = (payout: Payout, askedAt: Date | null): Leg[] =>
  askedAt ? withCurrent(payout, { wishedAt: askedAt.toISOString() }) : payout.legs;

export const asksFor = ({ next, begins }: { kind: string; next?: NextLeg; begins?: BegunLeg }, leg: Leg): boolean =>
  next?.leg === leg.name || (begins?.leg === leg.name && begins.refused?.key !== leg.key);

/** Nothing of it is sent, until its rail asks for it again, or it starts over. */
export const legsAtRest = (payout: Payout): Leg[] => withCurrent(payout, { toSend: false });

/** The payout ended, or starts over. */
export function legsOver(payout: Payout, said?: Leg['said']): Leg[] {
  const legs = said ? withCurrent(payout, { said }) : payout.legs;
  return legs.some(({ over }) => !over) ? legs.map((leg) => ({ ...leg, toSend: false, over: true })) : legs;
}

/** Its rail calls a paid payout settled in answer to a call, or before that was made: nothing is left to do. */
export function legSettled(change: PayoutChange, { asked, by }: Pick<Said, 'asked' | 'by'>): PayoutChange {
  const leg = currentLeg(change.after);
  const isOver = by === 'submission' ? legSent(asked)?.key === leg?.key : leg?.sends === 0;
  return leg && isOver ? withFacts(change, { legs: legsOver(change.after, 'settled') }) : change;
}

/** Its rail answered the call that pulls a paid payout's money back, and asks for no other one: that it came back only a look-up tells. */
export const isPulledBack = (payout: Payout, { asked, by }: Pick<Said, 'asked' | 'by'>): boolean =>
  by === 'submission' && asked.status === 'paid' && payout.status === 'paid' && !isUnderWay(payout);

type UnderWay = Accepted | AwaitingPayee | Claimed;

interface Said {
  fact: UnderWay;
  asked: Payout;
  by: 'submission' | 'lookup';
  /** The call that this answers is still open, or nothing happened since the rail was asked. */
  isStillSo: boolean;
}

/** How the legs of a payout stand after its rail said this. */
export function legsTold(change: PayoutChange, said: Said, now: Date): PayoutChange {
  const { fact, asked, by, isStillSo } = said;
  const payout = change.after;
  if (!isStillSo || (by === 'submission' && !speaksOfCurrent(payout, asked))) return change;
  const next = fact.kind === 'accepted' ? fact.next : fact.kind === 'awaiting_payee' ? fact.begins : undefined;
  const legs = next ? withNext(payout, next, said, now) : withCurrent(payout, { ...DONE, said: fact.kind });
  // Without a change nothing is written.
  return isDeepStrictEqual(legs, payout.legs) ? change : { ...change, after: { ...payout, legs } };
}

/** The look-up that asks a paid payout for a call that it made before it was paid may lag behind: it is asked for again before that is made. */
function isMadeBefore({ status, legs }: Payout, name: string): boolean {
  const paidIn = legs.findLast(({ said }) => said === 'settled')?.round ?? Infinity;
  return status === 'paid' && legs.some((leg) => leg.over && leg.name === name && leg.round >= paidIn);
}

const DONE = { toSend: false, notBefore: null };

/** The current one is asked for again, or another one follows it. */
function withNext(payout: Payout, next: NextLeg | BegunLeg, { fact, by }: Said, now: Date): Leg[] {
  const { leg: name } = next;
  const afterSeconds = Math.max(
    'afterSeconds' in next ? (next.afterSeconds ?? 0) : 0,
    isMadeBefore(payout, name) ? LAG_SECONDS : 0,
  );
  const current = currentLeg(payout);
  if (current?.name === name) {
    const seconds = by === 'submission' ? Math.max(afterSeconds, AGAIN_SECONDS) : afterSeconds;
    if (current.awaitsPayee) return withCurrent(payout, { said: null });
    const again = { toSend: true, notBefore: dueAt(seconds, now), wishedAt: now.toISOString() };
    return current.toSend ? payout.legs : withCurrent(payout, again);
  }
  const begun = payout.legs.filter(({ over }) => !over);
  if (begun.length >= MOST_LEGS || begun.some((leg) => leg.name === name)) return payout.legs;
  // Only after a restore is an earlier call asked for again. The one in between may then be asked for again, too.
  const isOver = payout.legs.some((leg) => leg.over && leg.name === name && leg.round === current?.round);
  const done = withCurrent(payout, { ...DONE, said: fact.kind, over: isOver });
  const leg = { ...newLeg(payout, name, dueAt(afterSeconds, now)), wishedAt: now.toISOString() };
  return withLeg(done, fact.kind === 'awaiting_payee' ? forPayee(leg) : leg);
}

export const withLeg = (legs: Leg[], leg: Leg): Leg[] => [...legs, leg].slice(-MOST_KEPT);

/** The job does not begin it. */
export const forPayee = (leg: Leg): Leg => ({ ...leg, toSend: false, awaitsPayee: true });

export function newLeg(
  { railKey, legs }: Pick<Payout, 'railKey' | 'legs'>,
  name: string,
  notBefore: string | null = null,
): Leg {
  const last = legs.at(-1);
  const round = (last?.round ?? 0) + (last?.over ? 1 : 0);
  const never = { attempt: 0, sends: 0, firstSentAt: null, said: null, over: false };
  return { name, round, key: legKeyOf(railKey, name, round), toSend: true, notBefore, ...never };
}

/** As its rail is told of it. */
export const railLeg = ({ name, key, firstSentAt, destination }: Leg): RailLeg => ({
  ...{ name, key, firstSentAt: new Date(firstSentAt ?? 0) },
  ...(destination === undefined ? {} : { destination }),
});

/**
 * The last call of an earlier payout of the same code, which the next payout keeps. Its own calls are of another round, because under
 * the earlier keys their rail would repeat its answers.
 */
export const legsBefore = (last: Leg | null): Leg[] =>
  last ? [{ ...last, toSend: false, over: true, said: 'refused', awaitsPayee: undefined, destination: undefined }] : [];

/** The call that answers was of the leg that is the current one: a late answer of an earlier one undoes nothing. */
const speaksOfCurrent = (payout: Payout, asked: Payout): boolean =>
  (legSent(asked)?.key ?? null) === (currentLeg(payout)?.key ?? null);

/** Its rail took on what was sent under that number, or what followed it. */
export function isTakenOn(payout: Payout, asked: Payout): boolean {
  const leg = legSent(asked);
  if (!leg) return payout.acceptedAttempt !== null;
  const current = currentLeg(payout);
  return current?.key !== leg.key || current.said !== null;
}

/** As far as legs go, nothing happened to it since. */
export const sameLegs = (one: Payout, other: Payout): boolean =>
  one.legs.length === other.legs.length &&
  one.legs.at(-1)?.toSend === other.legs.at(-1)?.toSend &&
  one.legs.at(-1)?.over === other.legs.at(-1)?.over;

export const withCurrent = ({ legs }: Pick<Payout, 'legs'>, facts: Partial<Leg>): Leg[] =>
  legs.map((leg, place) => (place === legs.length - 1 && !leg.over ? { ...leg, ...facts } : leg));

const dueAt = (seconds: number, now: Date): string | null =>
  seconds <= 0 ? null : new Date(now.getTime() + Math.min(seconds, MOST_SECONDS) * 1000).toISOString();
