/**
 * Every legal step of a payout, in one table. Nothing else in the service decides what may follow what:
 * `nextStatus` reads it, the payout store obeys it, docs/states.md is printed from it.
 */
import { Refusal } from '../errors';

export const PAYOUT_STATUSES = ['requested', 'authorized', 'submitted', 'held', 'failed', 'paid', 'returned'] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

export const FAILURE_KINDS = ['transient', 'permanent'] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

interface Row {
  from: PayoutStatus | null;
  on: string;
  to: PayoutStatus;
  /** The step is legal only from a failure of this kind. */
  only?: FailureKind;
}

export const TRANSITIONS = [
  { from: null, on: 'create', to: 'requested' },
  { from: 'requested', on: 'route', to: 'authorized' },
  { from: 'requested', on: 'block', to: 'held' },
  { from: 'requested', on: 'refuse', to: 'failed' },
  { from: 'authorized', on: 'submit', to: 'submitted' },
  // Sending looks again: the payee may have been blocked since, or the client closed.
  { from: 'authorized', on: 'block', to: 'held' },
  { from: 'authorized', on: 'refuse', to: 'failed' },
  { from: 'authorized', on: 'cancel', to: 'failed' },
  { from: 'authorized', on: 'give_up', to: 'failed' },
  // There is no row for a timeout: an outcome nobody knows leaves the payout submitted until the rail can be asked.
  { from: 'submitted', on: 'await_payee', to: 'submitted' },
  { from: 'submitted', on: 'claim', to: 'submitted' },
  { from: 'submitted', on: 'settle', to: 'paid' },
  { from: 'submitted', on: 'block', to: 'held' },
  { from: 'submitted', on: 'refuse', to: 'failed' },
  { from: 'held', on: 'release', to: 'authorized' },
  { from: 'held', on: 'block', to: 'held' },
  { from: 'held', on: 'refuse', to: 'failed' },
  { from: 'held', on: 'cancel', to: 'failed' },
  { from: 'held', on: 'give_up', to: 'failed' },
  // Also after a failure for good: its rail may not tell what became of it, and an operator found out.
  { from: 'failed', on: 'give_up', to: 'failed' },
  { from: 'failed', on: 'retry', to: 'submitted', only: 'transient' },
  { from: 'failed', on: 'block', to: 'held', only: 'transient' },
  // An operator found that its money landed all the same, or that the bank sent that back. The books say so; it stays failed.
  { from: 'failed', on: 'found_landed', to: 'failed' },
  { from: 'failed', on: 'found_returned', to: 'failed' },
  // Its rail said at first only that the money had left, and tells when it arrived.
  { from: 'paid', on: 'land', to: 'paid' },
  { from: 'paid', on: 'bounce', to: 'returned' },
] as const satisfies readonly Row[];

export type PayoutTrigger = (typeof TRANSITIONS)[number]['on'];

export class IllegalTransition extends Refusal {
  constructor(from: PayoutStatus | null, on: PayoutTrigger, failure: FailureKind | null = null) {
    const rows = (TRANSITIONS as readonly Row[]).filter((row) => row.on === on);
    // The table would let it, and what else is known of the payout does not: its rail, or who acts next.
    const advice = rows.some((row) => row.from === from && (!row.only || row.only === failure))
      ? ' as it stands now. Read it again.'
      : `: that is for one that is ${rows.map(placeOf).join(' or ')}.`;
    const status = from ?? NEW;
    super('illegal_transition', `A payout that is ${status} cannot take the step '${on}'${advice}`);
  }
}

const NEW = 'not created yet';
const placeOf = ({ from, only }: Row): string => (from ?? NEW) + (only ? ` for a ${only} cause` : '');

export function nextStatus(from: PayoutStatus | null, on: PayoutTrigger, failure: FailureKind | null): PayoutStatus {
  const row = (TRANSITIONS as readonly Row[]).find((candidate) => candidate.from === from && candidate.on === on);
  if (!row || (row.only && row.only !== failure)) throw new IllegalTransition(from, on, failure);
  return row.to;
}

/** A status with no way out, whatever happens. `failed` ends only when its cause is permanent. */
export function isFinal(status: PayoutStatus, failure: FailureKind | null): boolean {
  return status === 'returned' || (status === 'failed' && failure === 'permanent');
}
