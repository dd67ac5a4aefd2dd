import { legsBefore, newLeg } from './legs';
import type { Leg, Payout } from './payout';
import { questionAbout } from './rail-question';

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
const FREE = { blocked: false, disputed: false };

describe('a question about a payout', () => {
  test.each<[string, Partial<Payout>, { blocked: boolean; disputed: boolean }, string | undefined]>([
    ['of rows under way may move money', {}, FREE, undefined],
    ['of rows moves none while their payee is blocked', {}, { ...FREE, blocked: true }, 'at_rest'],
    ['of rows moves none while a difference is open', {}, { ...FREE, disputed: true }, 'at_rest'],
    ['of a caller may, for it was sent', { consolidates: false }, { blocked: true, disputed: true }, undefined],
    ['that is past its first call may', { legs: [LEG] }, { blocked: true, disputed: true }, undefined],
    ['at rest moves none', { status: 'failed' }, FREE, 'at_rest'],
    ['that was sent with another account moves none', { sentElsewhere: true }, FREE, 'sent_elsewhere'],
  ])('%s', (_, facts, look, why) => {
    expect(questionAbout({ ...ROWS, ...facts }, look).movesNothing).toBe(why);
  });

  test('is one of rows also if they were in later calls on a payout before', () => {
    expect(questionAbout({ ...ROWS, legs: legsBefore(LEG) }).ofRows).toBe(true);
    expect(questionAbout({ ...ROWS, legs: [LEG] }).ofRows).toBe(false);
  });
});
