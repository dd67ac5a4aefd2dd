import type { PayoutStatus } from '#libs/domain';
import { adviceOn, type Step } from './advice';

const at = (status: PayoutStatus, failureKind: 'transient' | 'permanent' | null = null) => ({
  ...{ id: 'p1', status, failureKind, supersededBy: null, consolidates: false, submittedAt: null as Date | null },
});
const ofOwedRows = (payout: ReturnType<typeof at>) => ({ ...payout, consolidates: true });

test.each<[Step, ReturnType<typeof at>, RegExp]>([
  ['fail', at('requested'), /gw payouts look p1/],
  ['fail', at('submitted'), /gw payouts look p1/],
  ['fail', at('paid'), /gw payouts look p1/],
  ['fail', at('returned'), /another payout/],
  ['release', at('authorized'), /gw rails/],
  ['release', { ...at('authorized'), submittedAt: new Date(0) }, /gw payouts look p1/],
  ['release', at('failed', 'transient'), /gw payouts retry p1/],
  ['release', at('failed', 'permanent'), /another payout/],
  ['retry', at('failed', 'permanent'), /another payout/],
  ['fail', ofOwedRows(at('returned')), /leaves with the next withdrawal: make no other payout/],
  ['retry', ofOwedRows(at('failed', 'permanent')), /leaves with the next withdrawal: make no other payout/],
  ['retry', at('held', 'transient'), /gw payouts release p1/],
])('%s of %j', (step, payout, advice) => expect(adviceOn(step, payout)).toMatch(advice));

test('nothing is added to a cause that is not the status', () => {
  expect(adviceOn('release', at('held', 'transient'))).toBeNull();
  expect(adviceOn('retry', at('failed', 'transient'))).toBeNull();
  expect(adviceOn('fail', at('failed', 'permanent'))).toBeNull();
  expect(adviceOn('fail', at('authorized'))).toBeNull();
  expect(adviceOn('retry', { ...at('held'), supersededBy: 'p2' })).toBeNull();
});
