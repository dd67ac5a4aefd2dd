import { secondsToAskAgain } from './asked-again';
import type { Payout } from './payout';

const NOW = new Date('2026-03-01T12:00:00Z');
const ago = (seconds: number): Date => new Date(NOW.getTime() - seconds * 1000);
const rests = (status: Payout['status'], seconds: number): Payout =>
  ({ status, submittedAt: ago(90_000), updatedAt: ago(seconds) }) as Payout;

describe('what brought nothing new', () => {
  test.each([
    [0, 20],
    [19.5, 1],
    [20, 30],
    [50, 550],
    [600, 3_000],
    [3_600, null],
    [90_000, null],
  ])('and was raised %s seconds ago is asked about again in %s', (raised, again) => {
    expect(secondsToAskAgain(rests('paid', 90_000), ago(raised), NOW)).toBe(again);
  });

  test.each([
    ['comes sooner', 5, 0, null],
    ['comes at the same time', 0, 0, null],
    ['comes later', 700, 0, 20],
    ['comes sooner than the next question after the first two', 3_400, 60, null],
    ['is over', 90_000, 0, 20],
    ['comes much later, within the first minute', 160, 21, 29],
  ])('of what was refused is left to the second look where that %s', (_, rested, raised, again) => {
    expect(secondsToAskAgain(rests('failed', rested), ago(raised), NOW)).toBe(again);
  });
});
