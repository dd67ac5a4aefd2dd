/** When a rail says that it moved nothing for what failed, and will not: what that is, and that it was heard. */
import { reasonCodeOf } from '#libs/domain';
import type { LookupFact, RailTraits } from '#libs/rail-kit';
import { isNo } from './attempts';
import type { Payout } from './payout';

/** Nothing of what was sent so far moved, and nothing will. What it says once it has forgotten the code takes nothing back. */
export const saysNo = (payout: Payout, fact: LookupFact, traits: RailTraits | null, now: Date): boolean =>
  isNo(payout, fact, traits, now) || (fact.kind === 'never_seen' && saidNo(payout));

/** Since it failed, and nothing became of it since. */
export const saidNo = ({ clearedAt, updatedAt }: Payout): boolean => clearedAt !== null && clearedAt >= updatedAt;

/** An operator says so. It counts if the rail has forgotten the payout; if it cannot be asked, only that it never saw it. */
export const isGivenUp = ({ status, statusReason }: Payout): boolean =>
  status === 'failed' && reasonCodeOf(statusReason) === 'given_up';

export const isAsItWas = (one: Payout, other: Pick<Payout, 'sequence' | 'attempt'>): boolean =>
  one.status === 'failed' && one.sequence === other.sequence && one.attempt === other.attempt;
