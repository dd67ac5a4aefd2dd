import { legsBefore, newLeg } from './legs';
import type { Leg, Payout } from './payout';
import { isAtItsFirstCall, whyNothingMoves } from './rail-question';

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
  ['after its first call', {}, true],
  ['also if it was in later calls before', { legs: legsBefore(LEG) }, true],
  ['not past its first call', { legs: [LEG] }, false],
  ['not at rest', { status: 'held' }, false],
  ['also if it is the caller’s own', { consolidates: false }, true],
])('what keeps a payout back keeps it from a question that may send it: %s', (_, facts, isOne) => {
  expect(isAtItsFirstCall({ ...ROWS, ...facts })).toBe(isOne);
});
