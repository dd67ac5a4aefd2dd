/** Where a payout's money stands in the balance of its payee. What failed or came back is the payee's no more. */
import { awaitsPayee, reasonCodeOf } from '#libs/domain';
import type { BalanceMove, Bucket } from '#libs/balances';
import type { Payout, PayoutChange } from './payout';

function bucketOf({ status, custody, claimedAt, statusReason }: Payout): Bucket | undefined {
  switch (status) {
    case 'requested':
    case 'authorized':
      return 'onTheWayCents';
    case 'submitted':
      return awaitsPayee({ custody, claimed: claimedAt !== null }) ? 'actionNeededCents' : 'onTheWayCents';
    case 'held':
      return reasonCodeOf(statusReason) === 'below_min_payout' ? 'heldBelowMinimumCents' : 'onTheWayCents';
    case 'paid':
      return 'landedCents';
    case 'failed':
    case 'returned':
      return undefined;
  }
}

export function balanceMoves(changes: PayoutChange[]): BalanceMove[] {
  return changes.map(({ before, after }) => ({
    payeeId: after.payeeId,
    currency: after.currency,
    cents: after.amountCents,
    from: before ? bucketOf(before) : undefined,
    to: bucketOf(after),
  }));
}
