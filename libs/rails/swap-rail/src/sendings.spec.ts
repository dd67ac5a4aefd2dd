/** How calls under one key are counted while several processes make them. */
import { isInDoubt, isUnsent, type Sendings, sentOnceMore, turnedAway, UNSENT } from './sendings';

const at = (minutes: number): Date => new Date(Date.UTC(2026, 0, 1, 12, minutes));
const sentAt = (before: Sendings, ...minutes: number[]): Sendings =>
  minutes.reduce((now, minute) => sentOnceMore(now, at(minute)), before);

describe('calls of swap_rail under one key', () => {
  it('all count as turned away once the last one is, long after the one before it', () => {
    expect(isUnsent(turnedAway(sentAt(UNSENT, 0, 11), 2, at(11)))).toBe(true);
    expect(isUnsent(turnedAway(sentAt(UNSENT, 0, 9), 2, at(9)))).toBe(false);
  });

  it('are each counted once, whichever is heard of first', () => {
    const both = sentAt(UNSENT, 0, 1);
    expect(isUnsent(turnedAway(turnedAway(both, 2, at(1)), 1, at(2)))).toBe(true);
    expect(isUnsent(turnedAway(turnedAway(both, 1, at(1)), 2, at(2)))).toBe(true);
  });

  it('leave a doubt about the last one when an earlier one is heard of long after it was made', () => {
    const now = turnedAway(sentAt(UNSENT, 0, 11), 1, at(12));
    expect([isUnsent(now), isInDoubt(now, at(20))]).toEqual([false, true]);
  });

  it('are not counted once more when one is heard of that counted with a later one', () => {
    const counted = turnedAway(sentAt(UNSENT, 0, 11), 2, at(11));
    const now = turnedAway(sentAt(counted, 12), 1, at(13));
    expect([isUnsent(now), isInDoubt(now, at(13))]).toEqual([false, true]);
  });
});
