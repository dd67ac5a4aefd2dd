/** Where the money of a payout goes, beside where its code sent money before. */
import type { Payout } from './payout';

/** `before`: the account or address that its code was sent to on another payout. What nobody knows yet goes nowhere else. */
export function goesElsewhere(
  { accountId, destination }: Pick<Payout, 'accountId' | 'destination'>,
  before: string | undefined,
): boolean {
  const to = accountId ?? destination?.email ?? null;
  return before !== undefined && to !== null && to !== before;
}

/** The rail would go on to show the other one under this code. */
export const WENT_ELSEWHERE =
  'its rows went to another account or address under its code: cancel it, and withdraw them again';

/** It goes to this account, on every try. */
export const isPinned = ({ submittedAt, custody }: Payout): boolean => submittedAt !== null && custody === 'custodial';
