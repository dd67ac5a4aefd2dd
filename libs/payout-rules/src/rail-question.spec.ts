import { legsBefore, newLeg } from './legs';
import type { Leg, Payout } from './payout';
import { isOfRowsUnderWay, whyNothingMoves } from './rail-question';

const LEG = newLeg({ railKey: 'code', legs: [] }, 'payout');
const ROWS = {
  ...{
    status: 'submitted',
    consolidates: true,
    sentElsewhere: false,
    codeSince: null,
    submittedAt: null,
    legs: [] as Leg[],
  },
} as Partial<Payout> as Payout;

describe('a question about a payout', () => {
  test.each<[string, Partial<Payout>, boolean, string | undefined]>([
    ['that is under way may move money', {}, false, undefined],
    ['moves none while nothing of it may be sent', {}, true, 'at_rest'],
    ['at rest moves none', { status: 'failed' }, false, 'at_rest'],
    ['that was sent with another account moves none', { sentElsewhere: true }, true, 'sent_elsewhere'],
  ])('%s', (_, facts, isKept, why) => {
    expect(whyNothingMoves({ ...ROWS, ...facts }, isKept)).toBe(why);
  });
});

test.each<[string, Partial<Payout>, boolean]>([
  ['after their first call', {}, true],
  ['also if they were in later calls on a payout before', { legs: legsBefore(LEG) }, true],
  ['not past their first call', { legs: [LEG] }, false],
  ['not at rest', { status: 'held' }, false],
  ['not of the caller, which was sent', { consolidates: false }, false],
])('a payout is one of rows under way %s', (_, facts, isOne) => {
  expect(isOfRowsUnderWay({ ...ROWS, ...facts })).toBe(isOne);
});
