/**
 * The directives that a test client writes into a payout's `reason`: `mock:` and one of these words. The test rail follows the first ones;
 * the core itself holds a payout that asks to be held. Without a directive it settles.
 */
import { type KnownReason, REASONS } from '#libs/domain';

const PREFIX = 'mock:';
/** Before the reason that a test wants a payout to be held for. */
export const HOLD = `${PREFIX}hold_`;

export const DIRECTIVES = [
  'fail_transient',
  'fail_permanent',
  'insufficient_funds',
  'timeout',
  'pending',
  'return',
  'fail_once',
  'slow',
  'bounce_later',
  'claim',
  'swap',
  'swap_refused',
  'swap_timeout',
  'two_legs',
  'leg_timeout',
  'leg_refused',
] as const;
export type Directive = (typeof DIRECTIVES)[number];

const HELD_REASONS = (Object.keys(REASONS) as KnownReason[]).filter((reason) => REASONS[reason].state === 'held');

const ALL = [...DIRECTIVES.map((word) => PREFIX + word), ...HELD_REASONS.map((reason) => HOLD + reason)];

export function directiveOf(reason: string | null): Directive | null {
  return DIRECTIVES.find((word) => reason === PREFIX + word) ?? null;
}

/** Why the core is to hold it; null if it is not to. */
export function holdAskedFor(reason: string | null): KnownReason | null {
  return HELD_REASONS.find((held) => reason === HOLD + held) ?? null;
}

/** A word that does not exist or is spelt otherwise would settle, which nobody meant; null if there is nothing to complain about. */
export function directiveComplaint(reason: string | null | undefined): string | null {
  if (!reason?.trim().toLowerCase().startsWith(PREFIX) || ALL.includes(reason)) return null;
  return `must not begin with ${PREFIX} unless it is exactly one of ${ALL.join(', ')}`;
}
