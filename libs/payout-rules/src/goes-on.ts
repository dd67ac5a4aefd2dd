/** What is held for a cause that passes goes on by itself once it has: no person has to release it. */
import { type KnownReason, reasonCodeOf, statusReason } from '#libs/domain';
import type { Payout } from './payout';

const PASSES: string[] = ['below_min_payout', 'cap_exceeded_daily', 'insufficient_funds'] satisfies KnownReason[];

export const IN_DISPUTE =
  'a rail says that it moved money for it, or for an earlier payout of its rows; the operator has to look';

export const HELD_IN_DISPUTE = statusReason('route_blocked', IN_DISPUTE);

export const goesOnByItself = ({ status, statusReason: reason, supersededBy }: Payout): boolean =>
  status === 'held' &&
  supersededBy === null &&
  (PASSES.includes(reasonCodeOf(reason) ?? '') || reason === HELD_IN_DISPUTE);
