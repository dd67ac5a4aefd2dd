/** What became of the money of a withdrawal that came to nothing: its rows are owed again, and may have left once more since. */
import type { Balance } from '#libs/balances';

/** owed: it can be withdrawn. not_ready: it is theirs, and they cannot be paid now. left: as a rule a later payment took it along. */
export type CameBack = 'owed' | 'not_ready' | 'left';

export function cameBack(currency: string, balances: Balance[], isReady: boolean): CameBack {
  const isOwed = balances.some((balance) => balance.currency === currency && balance.withdrawableCents > 0);
  if (!isOwed) return 'left';
  return isReady ? 'owed' : 'not_ready';
}
