/**
 * The database's clock is set, as by a failover to a host whose clock differs, or on one that was paused. Forward: that time did not pass, and a call that began
 * right before it may be under way (point 1: `OVER_AFTER_MS` of attempts is counted by `earliest`). Back: what is old does not become young again.
 */
import { systemClock } from '#libs/domain';
import { DatabaseClock } from './database-clock';

const DATABASE = Date.parse('2026-05-01T12:00:00Z');
const MINUTE = 60_000;

describe('the time by a database whose clock is set', () => {
  let clock: DatabaseClock;
  beforeEach(() => {
    clock = new DatabaseClock();
    at(0);
    looks();
  });
  afterEach(() => jest.restoreAllMocks());

  const at = (ms: number): void => {
    jest.spyOn(systemClock, 'now').mockReturnValue(new Date(1_000_000 + ms));
    jest.spyOn(performance, 'now').mockReturnValue(10 + ms);
  };
  const passed = (): number => performance.now() - 10;
  /** `ahead`: of what it was at first; `tookMs`: until its answer was read. */
  const looks = (ahead = 0, tookMs = 0): void => {
    const asked = clock.reading();
    at(passed() + tookMs);
    clock.set(new Date(DATABASE + passed() + ahead), asked);
  };
  const aheadOfTicks = (time: Date): number => time.getTime() - DATABASE - passed();

  test('a minute that no clock here saw pass is not over for certain, until another one has passed', () => {
    looks(MINUTE);
    expect(aheadOfTicks(clock.earliest())).toBe(0);
    at(MINUTE - 1);
    looks(MINUTE);
    expect(aheadOfTicks(clock.earliest())).toBe(0);
    at(MINUTE);
    expect(aheadOfTicks(clock.earliest())).toBe(MINUTE);
  });

  test('nor is what it is set forward by in steps of less than eight seconds', () => {
    for (const ahead of [7_500, 15_000, 22_500, 30_000, 37_500, 45_000]) looks(ahead);
    expect(aheadOfTicks(clock.earliest())).toBeLessThanOrEqual(8_000);
  });

  test('what is in doubt for ten minutes is so for ten minutes', () => {
    looks(15 * MINUTE);
    at(10 * MINUTE);
    looks(15 * MINUTE);
    expect(aheadOfTicks(clock.earliestForDoubt())).toBe(0);
    at(11 * MINUTE);
    expect(aheadOfTicks(clock.earliestForDoubt())).toBe(15 * MINUTE);
  });

  test('a minute that it is set back by was there all the same, until another one has passed', () => {
    looks(-MINUTE);
    expect(aheadOfTicks(clock.now())).toBe(0);
    expect(aheadOfTicks(clock.earliest())).toBe(-MINUTE);
    at(MINUTE);
    expect(aheadOfTicks(clock.now())).toBe(-MINUTE);
  });

  test('once it is set right again the time is what it was', () => {
    looks(MINUTE);
    looks(0);
    expect([aheadOfTicks(clock.earliest()), aheadOfTicks(clock.earliestForDoubt())]).toEqual([0, 0]);
    expect(aheadOfTicks(clock.now())).toBe(MINUTE); // it may have been right in between
  });

  test('it was not set because its answers come late, or because two clocks go apart by and by', () => {
    looks(0, 9_000);
    looks(0, 12_000);
    looks();
    for (let second = 0; second < 600; second += 1) {
      at(passed() + 1_000);
      looks(second / 2);
    }
    expect(aheadOfTicks(clock.now()) - aheadOfTicks(clock.earliest())).toBe(0);
  });
});
