/** Whether the mock provider checked a payee: of whom nothing is kept there is something to do. */
import type { DirectedCheck, PayeeCheckFact } from '#libs/rail-kit';

/** A type and not an interface, as a record of the store must be. By payee: whoever was checked is for all their payments. */
export type KeptCheck = {
  kind: Exclude<DirectedCheck['kind'], 'down'>;
  reason: string | null;
  /** The next question has no answer. */
  isDown: boolean;
};

export const CHECK = 'check:';
export const UNCHECKED: KeptCheck = { kind: 'to_do', reason: null, isDown: false };

export function checkFact({ kind, reason, isDown }: KeptCheck): PayeeCheckFact {
  if (isDown) return { kind: 'unknown', detail: 'a test asked for an answer that never arrives' };
  return kind === 'rejected' ? { kind, reason: reason ?? '' } : { kind };
}

export function directedCheck(kept: KeptCheck, outcome: DirectedCheck): KeptCheck {
  if (outcome.kind === 'down') return { ...kept, isDown: true };
  return { kind: outcome.kind, reason: outcome.kind === 'rejected' ? outcome.reason : null, isDown: false };
}
