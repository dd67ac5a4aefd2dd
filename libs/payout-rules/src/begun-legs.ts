/**
 * A call that the payee begins: its rail waits until they say where the money goes. A refused call moved nothing, and they may give
 * another address: that is another round, under a key of its own.
 */
import { OUR_PAGE } from '#libs/domain';
import type { AwaitingPayee } from '#libs/rail-kit';
import { currentLeg, forPayee, legToSend, mayHaveLeft, newLeg, withCurrent, withLeg } from './legs';
import { changeOf, type Leg, type Payout, type PayoutChange, withFacts, withStep } from './payout';

/** The one that waits; null: its rail does not wait for a payee to begin, or it is begun. */
export function legForPayee(payout: Payout): Leg | null {
  const leg = payout.status === 'submitted' ? currentLeg(payout) : null;
  const isWaiting = leg?.awaitsPayee && (leg.said === null || leg.said === 'awaiting_payee');
  return isWaiting ? leg : null;
}

/** Where begun money goes, also once it is paid. null: nothing is begun, or the last call was refused. */
export function destinationOf({ status, legs }: Payout): string | null {
  const leg = legs.at(-1);
  const isRefused = leg?.said === 'refused' || (status !== 'submitted' && status !== 'paid');
  return isRefused ? null : (leg?.destination ?? null);
}

/** The rail refused the payee's last answer, or it was given back to them before anything left: nothing was sent, and they are asked again. */
export function isAskedAgain({ legs }: Pick<Payout, 'legs'>): boolean {
  const [before, now] = [legs.at(-2), legs.at(-1)];
  const isRefused = before?.said === 'refused' && before.destination !== undefined;
  return isRefused || (now?.awaitsPayee === true && (now.givenBack ?? 0) > 0);
}

/** Differs each time that they are asked, so that each time is news of its own. It does not count calls: only the last ones are kept. */
export function nameOfAsking({ legs }: Pick<Payout, 'legs'>): string {
  const leg = legs.at(-1);
  return leg ? `${leg.name} ${leg.round}.${leg.givenBack ?? 0}` : '';
}

/** Why, in its rail's words for the payee; null: it gave none, or nothing was refused. */
export function refusalToPayee(payout: Pick<Payout, 'legs'>): string | null {
  const isGivenBack = (payout.legs.at(-1)?.givenBack ?? 0) > 0;
  return isAskedAgain(payout) && !isGivenBack ? (payout.legs.at(-2)?.refusal ?? null) : null;
}

/** When somebody became who they are, as it is known of the payee whose word this is. */
export interface KnownAs {
  emailChangedAt: Date | null;
  identityChangedAt: Date | null;
}

/**
 * Where its money goes is fixed from now on, and the job makes the call. `now`: not later than it is; but whoever said it had become who they are by
 * then, also if the clock is read late.
 */
export function begun(
  payout: Payout,
  destination: string,
  now: Date,
  { emailChangedAt, identityChangedAt }: KnownAs,
): PayoutChange {
  const changes = [emailChangedAt, identityChangedAt].map((changedAt) => (changedAt ? changedAt.getTime() + 1 : 0));
  const at = new Date(Math.max(now.getTime(), ...changes));
  const wish = { toSend: true, wishedAt: at.toISOString() };
  const legs = withCurrent(payout, { ...wish, destination, awaitsPayee: false, said: null });
  return withStep(withFacts(changeOf(payout), { legs }), {
    on: 'claim',
    actor: 'payee',
    facts: { claimedAt: at, claimUrl: null },
  });
}

/**
 * The call they began was never sent, and is not to be sent now: they are asked again, and it is the same call under the same key. If a
 * process took it on and did not make it, the rail may keep the old address with that key, so then it is another call. null: it may
 * have left, and is brought to its end.
 */
export function unbegun(payout: Payout): PayoutChange | null {
  const leg = payout.status === 'submitted' ? legToSend(payout) : null;
  if (leg?.destination === undefined || mayHaveLeft(leg)) return null;
  const waits = { destination: undefined, awaitsPayee: true, toSend: false, said: null };
  const asked = leg.sends > 0 ? withNextRound(payout, leg.name) : withCurrent(payout, waits);
  const legs = withCurrent({ ...payout, legs: asked }, { givenBack: (leg.givenBack ?? 0) + 1 });
  return withStep(withFacts(changeOf(payout), { legs }), {
    on: 'await_payee',
    actor: 'system',
    facts: { claimUrl: OUR_PAGE.open, claimedAt: null },
  });
}

/**
 * The same for a call that was begun before its payee became somebody else, last at `changedAt`: the old mailbox may have given the address.
 * null: it was not, or may have left. If nobody knows when it was begun, it counts as before.
 */
export function unbegunByAnother(payout: Payout, changedAt: Date | null): PayoutChange | null {
  const isOfBefore = changedAt !== null && (payout.claimedAt === null || changedAt >= payout.claimedAt);
  return isOfBefore ? unbegun(payout) : null;
}

/**
 * Whether a rail that waits refuses the very call that is the current one, and no earlier one of that name; or one that its payee began in the time that
 * a restored database lost.
 */
export function isRefusedLeg(payout: Payout, fact: { kind: string }): fact is AwaitingPayee {
  const [leg, begins] = [currentLeg(payout), (fact as Partial<AwaitingPayee>).begins];
  const key = begins?.refused?.key;
  if (leg === null || key === undefined || begins?.leg !== leg.name) return false;
  const isBegunElsewhere = leg.awaitsPayee === true && leg.said === 'claimed';
  return key === leg.key || (isBegunElsewhere && payout.legs.every((known) => known.key !== key));
}

/** It waits for its payee once more. */
export function backToPayee(change: PayoutChange, { begins, claimUrl }: AwaitingPayee): PayoutChange {
  const payout = change.after;
  const said: Partial<Leg> = { said: 'refused', refusal: begins?.refused?.reason };
  let legs = withNextRound(payout, begins?.leg ?? '', said);
  // A restored database gives the next round the key of the call that its rail speaks of.
  if (legs.at(-1)?.key === begins?.refused?.key) legs = withNextRound({ ...payout, legs }, begins?.leg ?? '', said);
  return withStep(withFacts(change, { legs, openAttempts: [] }), {
    on: 'await_payee',
    actor: 'rail',
    facts: { claimUrl: claimUrl ?? OUR_PAGE.open, claimedAt: null },
  });
}

/** The current one is over, and its payee says where to under another key. */
function withNextRound(payout: Payout, name: string, ends: Partial<Leg> = {}): Leg[] {
  const over = withCurrent(payout, { toSend: false, notBefore: null, awaitsPayee: false, over: true, ...ends });
  return withLeg(over, forPayee(newLeg({ railKey: payout.railKey, legs: over }, name)));
}
