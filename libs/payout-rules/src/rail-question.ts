/** What a rail is told when it is asked about a payout. */
import type { RailCall } from '#libs/rail-kit';
import { currentLeg } from './legs';
import type { Payout } from './payout';

type Question = Pick<RailCall, 'movesNothing'> & { sentBefore: Date | null; ofRows: boolean };

/**
 * What holds them before they are sent holds them before a question that may send them, too. What followed a first call that is known to this
 * database has nowhere else to go.
 */
export const isOfRowsUnderWay = (payout: Payout): boolean =>
  payout.status === 'submitted' && payout.consolidates && currentLeg(payout) === null;

/** `look`: how things stand by now, of rows that are under way. */
export function questionAbout(payout: Payout, look?: { blocked: boolean; disputed: boolean }): Question {
  const { sentElsewhere, codeSince, submittedAt } = payout;
  const ofRows = isOfRowsUnderWay(payout);
  return {
    // Whether it was sent elsewhere is for the asker to judge: another account may be bound in between.
    sentBefore: sentElsewhere ? null : (codeSince ?? submittedAt),
    movesNothing: whyNothingMoves(payout) ?? (ofRows && (look?.blocked || look?.disputed) ? 'at_rest' : undefined),
    ofRows,
  };
}

/** A rail may find out by sending again. That is for what is under way, and with the account that it was sent with. */
function whyNothingMoves({ status, sentElsewhere }: Payout): RailCall['movesNothing'] {
  if (sentElsewhere) return 'sent_elsewhere';
  return status === 'submitted' ? undefined : 'at_rest';
}
