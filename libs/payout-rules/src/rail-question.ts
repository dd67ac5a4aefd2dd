/** What a rail is told when it is asked about a payout. */
import type { RailCall } from '#libs/rail-kit';
import type { Payout } from './payout';

type Question = Pick<RailCall, 'movesNothing'> & { sentBefore: Date | null; ofRows: boolean };

export function questionAbout(payout: Payout): Question {
  const { sentElsewhere, codeSince, submittedAt, consolidates, legs } = payout;
  return {
    // Whether it was sent elsewhere is for the asker to judge: another account may be bound in between.
    sentBefore: sentElsewhere ? null : (codeSince ?? submittedAt),
    movesNothing: whyNothingMoves(payout),
    // What followed a first call that is known to this database has nowhere else to go.
    ofRows: consolidates && legs.length === 0,
  };
}

/** A rail may find out by sending again. That is for what is under way, and with the account that it was sent with. */
function whyNothingMoves({ status, sentElsewhere }: Payout): RailCall['movesNothing'] {
  if (sentElsewhere) return 'sent_elsewhere';
  return status === 'submitted' ? undefined : 'at_rest';
}
