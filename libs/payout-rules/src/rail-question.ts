/** What a rail is told when it is asked about a payout. */
import type { RailCall } from '#libs/rail-kit';
import { firstCallBlocker, type Standing } from './first-call';
import { currentLeg } from './legs';
import type { Payout } from './payout';

type Question = Pick<RailCall, 'movesNothing'> & { sentBefore: Date | null };

/**
 * What holds them before they are sent holds them before a question that may send them, too. What followed a first call that is known to this
 * database has nowhere else to go.
 */
export const isOfRowsUnderWay = (payout: Payout): boolean =>
  payout.status === 'submitted' && payout.consolidates && currentLeg(payout) === null;

/** Were they to be sent now they would be held, or wait. */
export const isKeptBack = (payout: Payout, standing: Standing): boolean =>
  standing.clientStatus === 'suspended' || firstCallBlocker(payout, standing, true) !== null;

export interface Asked {
  askedAt: Date;
  /** It was asked in a way that sends nothing, for nothing of it may be sent now. */
  isKept: boolean;
}

/** `isKept`: it is under way, and nothing of it may be sent now. */
export function questionAbout(payout: Payout, isKept = false): Question {
  const { sentElsewhere, codeSince, submittedAt } = payout;
  return {
    // Whether it was sent elsewhere is for the asker to judge: another account may be bound in between.
    sentBefore: sentElsewhere ? null : (codeSince ?? submittedAt),
    movesNothing: whyNothingMoves(payout) ?? (isKept ? 'at_rest' : undefined),
  };
}

/** A rail may find out by sending again. That is for what is under way, and with the account that it was sent with. */
function whyNothingMoves({ status, sentElsewhere }: Payout): RailCall['movesNothing'] {
  if (sentElsewhere) return 'sent_elsewhere';
  return status === 'submitted' ? undefined : 'at_rest';
}
