import { PAYOUT_STATUSES, type PayoutStatus } from '#libs/domain';
import { changeOf, type Payout } from './payout';
import { walletMoves } from './what-follows';

const payout = (status: PayoutStatus, more: Partial<Payout> = {}): Payout =>
  ({ clientId: 'c', currency: 'USD', amountCents: 100, liftingFeeCents: 0, prepaid: true, status, ...more }) as Payout;
const moved = (before: Payout | null, after: Payout) => walletMoves([{ ...changeOf(after), before }]);

describe('what a change means for the wallet', () => {
  test.each<[PayoutStatus | null, PayoutStatus, number, number]>([
    [null, 'authorized', 100, 0],
    [null, 'submitted', 100, 0],
    ['held', 'authorized', 100, 0],
    ['failed', 'submitted', 100, 0],
    ['submitted', 'paid', -100, 100],
    ['submitted', 'failed', -100, 0],
    ['submitted', 'held', -100, 0],
  ])('%s to %s', (before, after, inFlightCents, paidCents) => {
    expect(moved(before && payout(before), payout(after))).toEqual([
      { clientId: 'c', currency: 'USD', inFlightCents, paidCents, feeCents: 0 },
    ]);
  });

  test('a return gives back what was paid, and costs its fee', () => {
    expect(moved(payout('paid'), payout('returned', { liftingFeeCents: 25 }))).toMatchObject([
      { inFlightCents: 0, paidCents: -100, feeCents: 25 },
    ]);
  });

  test.each<[PayoutStatus | null, PayoutStatus]>([
    [null, 'held'],
    [null, 'failed'],
    ['authorized', 'submitted'],
    ['held', 'held'],
    ['held', 'failed'],
  ])('%s to %s moves nothing', (before, after) => {
    expect(moved(before && payout(before), payout(after))).toEqual([]);
  });

  test('a payout that draws on no wallet never moves one', () => {
    for (const status of PAYOUT_STATUSES) expect(moved(null, payout(status, { prepaid: false }))).toEqual([]);
  });
});
