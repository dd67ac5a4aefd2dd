/** A payout is given up, for good: nothing landed and nothing will. Money that may be under way cannot be given up. */
import { statusReason } from '#libs/domain';
import { changeOf, type Payout, type PayoutChange, withStep } from './payout';

export function givenUp(change: PayoutChange, why: string | null, neverSeen = false): PayoutChange {
  return withStep(change, {
    on: 'give_up',
    actor: 'operator',
    failureKind: 'permanent',
    statusReason: statusReason('given_up', why),
    facts: { neverSeen },
  });
}

/** The same of what is about to be sent, which stops first; null for what cannot be given up. */
export function stopped(payout: Payout, why: string): PayoutChange | null {
  const { status, failureKind, supersededBy } = payout;
  if (supersededBy !== null) return null;
  const change = changeOf(payout);
  if (status === 'held' || (status === 'failed' && failureKind === 'transient')) return givenUp(change, why);
  if (status !== 'authorized') return null;
  const facts = {
    actor: 'operator',
    failureKind: 'transient',
    statusReason: statusReason('route_blocked', why),
  } as const;
  return givenUp(withStep(change, { on: 'block', ...facts }), why);
}
