import { begun, isAskedAgain, legForPayee, nameOfAsking, unbegun, unbegunByAnother } from './begun-legs';
import { forPayee, legsStillToSend, legsWithAttempt, mayHaveLeft, newLeg, withCurrent } from './legs';
import type { Leg, Payout } from './payout';

const AT = new Date('2026-11-25T12:00:00Z');
const LATER = new Date('2026-11-25T12:00:01Z');
const RAIL_KEY = 'code';
const WAITING = {
  ...{ id: 'one', status: 'submitted', railKey: RAIL_KEY, attempt: 1, sequence: 3, failureKind: null, claimedAt: null },
  legs: [forPayee(newLeg({ railKey: RAIL_KEY, legs: [] }, 'drain'))],
} as unknown as Payout;
const UNCHANGED = { emailChangedAt: null, identityChangedAt: null };
const BEGUN = begun(WAITING, 'wallet-1', AT, UNCHANGED).after;

const taken = (payout: Payout, attempt: number): Payout => ({
  ...payout,
  attempt,
  legs: legsWithAttempt(payout, attempt, LATER),
});
const notMade = (payout: Payout): Payout => ({ ...payout, legs: legsStillToSend(payout) });
const left = ({ legs }: Payout): boolean => mayHaveLeft(legs.at(-1) as Leg);

describe('a call that its payee began', () => {
  test('may have left once somebody took it on, unless that one did not make it, however often that is said', () => {
    const first = taken(BEGUN, 2);
    const put = notMade(notMade(first));
    expect([left(BEGUN), left(first), left(put)]).toEqual([false, true, false]);
    const second = taken(put, 3);
    expect([left(second), left(notMade(second))]).toEqual([true, false]);
    // Nobody said of the second what became of it, and the third was not made.
    const asked = { ...second, legs: withCurrent(second, { toSend: true }) };
    expect(left(notMade(taken(asked, 4)))).toBe(true);
  });

  test('goes back as it was if nobody took it on, and under another key if somebody did and did not make it', () => {
    const [same, another] = [unbegun(BEGUN)?.after, unbegun(notMade(taken(BEGUN, 2)))?.after];
    expect(same && legForPayee(same)).toMatchObject({ key: WAITING.legs[0]?.key, destination: undefined });
    expect(another?.legs).toMatchObject([
      { destination: 'wallet-1', over: true, toSend: false },
      { awaitsPayee: true },
    ]);
    expect(another && legForPayee(another)?.key).not.toBe(WAITING.legs[0]?.key);
    expect(unbegun(taken(BEGUN, 2))).toBeNull();
  });

  test('asks its payee once more, and each time is another one', () => {
    const back = unbegun(BEGUN)?.after as Payout;
    const again = unbegun(begun(back, 'wallet-2', AT, UNCHANGED).after)?.after as Payout;
    const another = unbegun(notMade(taken(BEGUN, 2)))?.after as Payout;
    expect([WAITING, BEGUN, back, again, another].map(isAskedAgain)).toEqual([false, false, true, true, true]);
    expect(new Set([WAITING, back, again, another].map(nameOfAsking)).size).toBe(4);
    expect(isAskedAgain(begun(back, 'wallet-2', AT, UNCHANGED).after)).toBe(false);
  });

  test.each([
    ['never', null, false],
    ['before it was begun', new Date(AT.getTime() - 1), false],
    ['at the same moment', AT, true],
    ['since', LATER, true],
  ])('goes back to whoever its payee is if they became somebody else: %s', (_, changedAt, goesBack) => {
    expect(unbegunByAnother(BEGUN, changedAt) !== null).toBe(goesBack);
    expect(unbegunByAnother(WAITING, changedAt)).toBeNull();
  });
});
