/**
 * The clock of the database's host is slewed back: chrony, as Debian and Red Hat set it up, steps a clock in its first three updates only, and from then on lets
 * it go slower by up to 8.3 % until it is right (`maxslewrate`). Nobody set it, and it never goes back. So of two questions the later one has no earlier
 * date (ADR 54), and what is sent meanwhile does not wait until it is right.
 */
import { systemClock } from '#libs/domain';
import { DatabaseClock } from './database-clock';

const START = 1_000_000;
const RATE = 1 - 1 / 12;
const BEGIN_WITHIN_MS = 4_000;

describe('the time by a database whose clock is slewed back', () => {
  let clock: DatabaseClock;
  beforeEach(() => (clock = new DatabaseClock()));
  afterEach(() => jest.restoreAllMocks());

  /** Of this machine, whose clock is right. */
  const at = (ms: number): void => {
    jest.spyOn(systemClock, 'now').mockReturnValue(new Date(START + ms));
    jest.spyOn(performance, 'now').mockReturnValue(10 + ms);
  };
  /** A look takes a millisecond, and there is one a second. */
  const looksAt = (ms: number): void => {
    at(ms);
    const asked = clock.reading();
    at(ms + 1);
    clock.set(new Date(START + Math.floor(ms * RATE)), asked);
  };

  test('a question that is put later is not dated earlier', () => {
    const dates: number[] = [];
    for (let second = 0; second < 10; second += 1) {
      looksAt(second * 1_000);
      for (const ms of [20, 990]) {
        at(second * 1_000 + ms);
        dates.push(clock.nextDate().getTime());
      }
    }
    expect(dates).toEqual(dates.toSorted((one, other) => one - other));
  });

  test('what is taken on can still be begun', () => {
    for (let second = 0; second <= 120; second += 1) looksAt(second * 1_000);
    expect(clock.now().getTime() - clock.earliest().getTime()).toBeLessThan(BEGIN_WITHIN_MS);
  });
});
