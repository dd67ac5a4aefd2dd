/**
 * Gives a payout up for good: nothing landed and nothing will. Money that may be under way cannot be given up. An authorized payout
 * can: whoever sends it takes that on under the same lock, and makes it submitted.
 */
import { reasonCodeOf, Refusal, statusReason } from '#libs/domain';
import { isAsAsked } from './attempts';
import { changeOf, type Payout, type PayoutChange, withFacts, withStep } from './payout';

/** If the money arrived, the reason keeps saying so: otherwise the caller would pay it again. */
export function givenUp(change: PayoutChange, why: string | null, neverSeen = false): PayoutChange {
  return withStep(change, {
    on: 'give_up',
    actor: 'operator',
    failureKind: 'permanent',
    statusReason: statusReason(isPaidAfterAll(change.after) ? 'paid_after_all' : 'given_up', why),
    facts: { neverSeen },
  });
}

/** "Never seen" is about what was sent before the question, not about a try since; nor about money that was heard of while the payout was waited for. */
export function refuseIfTriedSince(payout: Payout, known: Payout, isHeardOf: boolean): void {
  if (isHeardOf || !isAsAsked(payout, known)) throw new Refusal('illegal_transition', TRIED_SINCE);
}

const TRIED_SINCE =
  'The payout changed while it was being failed: its rail may have seen it since. Read it, and find out at its rail once more.';

/** An operator found its money at its payee, after it had been given up. */
export const isPaidAfterAll = ({ status, statusReason: reason }: Pick<Payout, 'status' | 'statusReason'>): boolean =>
  status === 'failed' && reasonCodeOf(reason) === 'paid_after_all';

/** Its caller took it back before it left. */
export function cancelled(change: PayoutChange): PayoutChange {
  return withStep(change, {
    on: 'cancel',
    actor: 'client',
    failureKind: 'permanent',
    statusReason: statusReason('cancelled_by_client'),
  });
}

/** Its rows leave by a withdrawal only, and not by themselves. */
export const isCancelled = ({ status, statusReason: reason }: Payout): boolean =>
  status === 'failed' && reasonCodeOf(reason) === 'cancelled_by_client';

/**
 * The same for a payout about to be sent, which stops first; null if it cannot be given up, or is over already. That its rail never saw
 * it is written down even if it is over.
 */
export function stopped(payout: Payout, why: string, neverSeen = false): PayoutChange | null {
  const { status, failureKind, supersededBy } = payout;
  const change = changeOf(payout);
  if (neverSeen && (status === 'failed' || status === 'held')) return givenUp(change, why, neverSeen);
  if (neverSeen && status === 'returned') return withFacts(change, { neverSeen }); // what came back stays returned
  if (supersededBy !== null) return null;
  if (status === 'held' || (status === 'failed' && failureKind === 'transient')) return givenUp(change, why);
  if (status !== 'authorized') return null;
  const facts = {
    actor: 'operator',
    failureKind: 'transient',
    statusReason: statusReason('route_blocked', why),
  } as const;
  return givenUp(withStep(change, { on: 'block', ...facts }), why, neverSeen);
}
