/**
 * A call that the payee begins: its rail waits until they say where the money goes. What it refused moved nothing, and they may say
 * it once more: another round, under a key of its own.
 */
import { OUR_PAGE } from '#libs/domain';
import type { AwaitingPayee } from '#libs/rail-kit';
import { currentLeg, forPayee, legToSend, newLeg, withCurrent, withLeg } from './legs';
import { changeOf, type Leg, type Payout, type PayoutChange, withFacts, withStep } from './payout';

/** The one that waits; null: its rail does not wait for a payee to begin, or it is begun. */
export function legForPayee(payout: Payout): Leg | null {
  const leg = payout.status === 'submitted' ? currentLeg(payout) : null;
  const isWaiting = leg?.awaitsPayee && (leg.said === null || leg.said === 'awaiting_payee');
  return isWaiting ? leg : null;
}

/** What is begun stays so, also once it is paid. null: nothing is begun, or what was was refused. */
export function destinationOf({ status, legs }: Payout): string | null {
  const leg = legs.at(-1);
  const isRefused = leg?.said === 'refused' || (status !== 'submitted' && status !== 'paid');
  return isRefused ? null : (leg?.destination ?? null);
}

/** What its payee gave last was refused by the rail: nothing was sent, and they are asked once more. */
export function isAskedAgain({ legs }: Pick<Payout, 'legs'>): boolean {
  const before = legs.at(-2);
  return before?.said === 'refused' && before.destination !== undefined;
}

/** Why, in its rail's words for the payee; null: it gave none, or nothing was refused. */
export function refusalToPayee(payout: Pick<Payout, 'legs'>): string | null {
  return isAskedAgain(payout) ? (payout.legs.at(-2)?.refusal ?? null) : null;
}

/** Where its money goes is fixed from now on, and the job makes the call. */
export function begun(payout: Payout, destination: string, now: Date): PayoutChange {
  const legs = withCurrent(payout, { destination, awaitsPayee: false, toSend: true, said: null });
  return withStep(withFacts(changeOf(payout), { legs }), {
    on: 'claim',
    actor: 'payee',
    facts: { claimedAt: now, claimUrl: null },
  });
}

/**
 * What they began was never sent, and is not to be sent now: they say where to once more, and it is the same call under the same
 * key. null: it may have left, and is brought to its end.
 */
export function unbegun(payout: Payout): PayoutChange | null {
  const leg = payout.status === 'submitted' ? legToSend(payout) : null;
  if (leg?.destination === undefined || leg.sends > 0) return null;
  const legs = withCurrent(payout, { destination: undefined, awaitsPayee: true, toSend: false, said: null });
  return withStep(withFacts(changeOf(payout), { legs }), {
    on: 'await_payee',
    actor: 'system',
    facts: { claimUrl: OUR_PAGE.open, claimedAt: null },
  });
}

/** Whether a rail that waits refuses the very call that is the current one, and no earlier one of that name. */
export function isRefusedLeg(payout: Payout, fact: { kind: string }): fact is AwaitingPayee {
  const [leg, begins] = [currentLeg(payout), (fact as Partial<AwaitingPayee>).begins];
  return leg !== null && begins?.leg === leg.name && begins.refused?.key === leg.key;
}

/** It waits for its payee once more. */
export function backToPayee(change: PayoutChange, { begins, claimUrl }: AwaitingPayee): PayoutChange {
  const payout = change.after;
  const refused = { toSend: false, notBefore: null, awaitsPayee: false, over: true, said: 'refused' } as const;
  const over = withCurrent(payout, { ...refused, refusal: begins?.refused?.reason });
  const leg = forPayee(newLeg({ railKey: payout.railKey, legs: over }, begins?.leg ?? ''));
  return withStep(withFacts(change, { legs: withLeg(over, leg), openAttempts: [] }), {
    on: 'await_payee',
    actor: 'rail',
    facts: { claimUrl: claimUrl ?? OUR_PAGE.open, claimedAt: null },
  });
}
