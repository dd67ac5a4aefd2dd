/** What a rail is told when it is asked about a payout. */
import type { RailCall } from '#libs/rail-kit';
import { firstCallBlocker, type Standing } from './first-call';
import { currentLeg } from './legs';
import type { Payout } from './payout';

/**
 * What holds a payout before it is sent holds it before a question that may send it, too. What followed a first call that is known to this
 * database has nowhere else to go.
 */
export const isAtItsFirstCall = (payout: Payout): boolean =>
  payout.status === 'submitted' && currentLeg(payout) === null;

/** Were they to be sent now they would be held, or wait. */
export const isKeptBack = (payout: Payout, standing: Standing): boolean =>
  standing.clientStatus === 'suspended' || firstCallBlocker(payout, standing, true) !== null;

export interface Asked {
  askedAt: Date;
  /** It was asked in a way that sends nothing, for nothing of it may be sent now. */
  isKept: boolean;
}

/**
 * A rail may find out by sending again. That is for what is under way, and with the account that it was sent with. `isKept`: it was under
 * way when it was read, and nothing of it may be sent by now.
 */
export function whyNothingMoves({ status, sentElsewhere }: Payout, isKept: boolean): RailCall['movesNothing'] {
  if (sentElsewhere) return 'sent_elsewhere';
  return status === 'submitted' && !isKept ? undefined : 'at_rest';
}
