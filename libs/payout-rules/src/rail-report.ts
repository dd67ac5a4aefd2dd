/** What a rail said, and of which payout as it stood then. */
import type { LookupFact } from '#libs/rail-kit';
import type { Payout } from './payout';

/** The call was not made: its process came to it too late. */
export interface NotSent {
  kind: 'not_sent';
}

export interface Report {
  fact: LookupFact | NotSent;
  /** The payout as it stood when the rail was called. */
  asked: Payout;
  by: 'submission' | 'lookup';
  /** When an earlier payout of the same code was sent, which this was said of. Left out if it was said of this one. */
  since?: Date | null;
  /** When it was asked; left out for an answer to a call, which is as old as that. */
  askedAt?: Date;
  /** It is a no, also if it never saw it: it would remember the code. */
  isNo?: boolean;
  /** It moved nothing for what failed, and will not; said for the first time, or as its last word: when it was asked that. */
  noAt?: Date;
}

/**
 * What was said of a payout whose rows went on under the same code is about the one that was sent under it last. Asked after that one came back,
 * it is what the rail says of money that came back.
 */
export function handedTo(holder: Payout, { fact, asked, askedAt }: Report): Report {
  const cameBackBefore = holder.status === 'returned' && askedAt !== undefined && askedAt > holder.updatedAt;
  return {
    ...{ fact, askedAt, by: 'lookup' },
    asked: { ...holder, status: cameBackBefore ? holder.status : asked.status },
    since: asked.codeSince ?? asked.submittedAt,
  };
}

/** An answer to a call is as old as the call; null: nobody knows. */
export function saidAt({ asked, by, askedAt }: Report): Date | null {
  if (askedAt) return askedAt;
  const call = asked.openAttempts.find(({ attempt }) => by === 'submission' && attempt === asked.attempt);
  return call ? new Date(call.takenAt) : null;
}

/** Another account than it was sent with was asked, and shows it too, but cannot send it on: it would be held again at once. */
export const isShownElsewhere = ({ fact, asked }: Report): boolean =>
  asked.sentElsewhere && fact.kind !== 'settled' && fact.kind !== 'bounced';

/** More happened since that was asked. But if another account is bound by now, nobody can ask that one again. */
export function isOldLookUp(known: Payout, asked: Payout): boolean {
  if (known.sentElsewhere && !asked.sentElsewhere) return false;
  return asked.sequence !== known.sequence || asked.attempt !== known.attempt;
}
