/** When a rail says that it moved nothing for what failed, and will not: what that is, and that it was heard. */
import { reasonCodeOf } from '#libs/domain';
import type { LookupFact, RailTraits } from '#libs/rail-kit';
import { isCodeHonoured } from './attempts';
import type { Payout } from './payout';

/** One that may have forgotten the code by now, and never answered about it before, says nothing. */
export function saysNo({ kind }: LookupFact, payout: Payout, traits: RailTraits | null, now: Date): boolean {
  if (kind === 'refused') return true;
  const since = payout.codeSince ?? payout.submittedAt;
  return kind === 'never_seen' && (saidNo(payout) || isCodeHonoured({ codeSince: since }, traits, now));
}

/** Since it failed, and nothing became of it since. */
export const saidNo = ({ clearedAt, updatedAt }: Payout): boolean => clearedAt !== null && clearedAt >= updatedAt;

/** An operator says so. It counts where the rail says neither yes nor no. */
export const isGivenUp = ({ status, statusReason }: Payout): boolean =>
  status === 'failed' && reasonCodeOf(statusReason) === 'given_up';

export const isAsItWas = (one: Payout, other: Pick<Payout, 'sequence' | 'attempt'>): boolean =>
  one.status === 'failed' && one.sequence === other.sequence && one.attempt === other.attempt;
