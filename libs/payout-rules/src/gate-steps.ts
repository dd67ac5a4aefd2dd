/** The steps that a payout takes at its gates. */
import { type Blocker, reasonCodeOf, statusReason } from '#libs/domain';
import type { Actor, Payout, Step } from './payout';

/** The step that marks a payout as sent; the call itself follows the commit. */
export function submission(actor: Actor): Step {
  return { on: 'submit', actor, facts: { toSend: true } };
}

export function blockedStep(blocker: Blocker, actor: Actor, route: Partial<Payout>): Step {
  const known = { statusReason: statusReason(blocker.reason, blocker.detail), actor };
  // An unrouted payout has no rail; one that is blocked on its rail shows which.
  const facts = reasonCodeOf(known.statusReason) === 'no_rail' ? { provider: null } : route;
  if (blocker.to === 'failed') return { on: 'refuse', failureKind: 'permanent', facts, ...known };
  const shortOf = blocker.reason === 'insufficient_funds' ? 'wallet' : undefined;
  return { on: 'block', failureKind: 'transient', shortOf, facts, ...known };
}
