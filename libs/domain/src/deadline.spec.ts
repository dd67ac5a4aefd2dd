import { systemClock } from './clock';
import { deadlineIn } from './deadline';

describe('a deadline', () => {
  afterEach(() => jest.restoreAllMocks());

  function after(ticks: number, time: number): boolean {
    const [tick, now] = [performance.now(), systemClock.now().getTime()];
    const ticking = jest.spyOn(performance, 'now').mockReturnValue(tick);
    const telling = jest.spyOn(systemClock, 'now').mockReturnValue(new Date(now));
    const isOver = deadlineIn(10_000);
    expect(isOver()).toBe(false);
    ticking.mockReturnValue(tick + ticks);
    telling.mockReturnValue(new Date(now + time));
    return isOver();
  }

  test.each([
    ['nothing has reached it', 9_999, 9_999, false],
    ['its ticks have', 10_000, 0, true],
    ['its machine slept past it', 0, 10_000, true],
    ['its time was set back', 10_000, -60_000, true],
  ])('if %s', (_, ticks, time, over) => {
    expect(after(ticks, time)).toBe(over);
  });
});
