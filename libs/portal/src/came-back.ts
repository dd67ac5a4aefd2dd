/** Where the money of a failed payment is now: owed rows that it paid are owed again, and may have left once more. */
import type { Balance } from '#libs/balances';
import type { Payout } from '#libs/payout-rules';

/**
 * owed: it can be withdrawn. not_ready: it is theirs, and they cannot be paid now. left: as a rule a later payment took it along.
 * replaced: another payment took it over, whatever is said of this one.
 */
export type CameBack = 'owed' | 'not_ready' | 'left' | 'replaced';

/** null: it paid nothing that was owed. */
export function cameBack(
  { currency, consolidates, supersededBy }: Pick<Payout, 'currency' | 'consolidates' | 'supersededBy'>,
  balances: Balance[],
  isReady: boolean,
): CameBack | null {
  if (supersededBy !== null) return 'replaced';
  if (!consolidates) return null;
  const isOwed = balances.some((balance) => balance.currency === currency && balance.withdrawableCents > 0);
  if (!isOwed) return 'left';
  return isReady ? 'owed' : 'not_ready';
}
