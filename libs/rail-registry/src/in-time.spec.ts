/** A process that stood still past the deadline of a call makes none of its further requests. */
import { systemClock } from '#libs/domain';
import { inTime } from './in-time';

const standsStill = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

describe('a call that has a deadline', () => {
  it('is told to stop before it goes on, though the process stood still while it waited for something else', async () => {
    let toldToStop: boolean | null = null;
    await inTime(20, async (signal) => {
      // As an answer of the database that lay in its socket when the process woke: it is read before timers are looked at.
      await new Promise<void>((resolve) =>
        setImmediate(() => {
          standsStill(100);
          resolve();
        }),
      );
      toldToStop = signal.aborted;
      return { kind: 'unknown' as const, detail: '' };
    });
    expect(toldToStop).toBe(true);
  });

  // Whoever asks the signal is told by the clock. A request that waits for its answer asks nothing: it only hears the event.
  it('is told to stop also while it only waits', async () => {
    jest.useFakeTimers();
    const heard = jest.fn();
    const answer = inTime(20, (signal) => {
      signal.addEventListener('abort', heard);
      return new Promise<never>(() => undefined);
    });
    await jest.advanceTimersByTimeAsync(19);
    expect(heard).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    jest.useRealTimers();
    expect(heard).toHaveBeenCalledTimes(1);
    expect(await answer).toEqual({ kind: 'unknown', detail: 'no answer within 20 ms' });
  });

  it('is told to stop also if the machine slept: its ticks stood still, and its clock tells', async () => {
    const told: boolean[] = [];
    await inTime(20_000, (signal) => {
      told.push(signal.aborted);
      const woken = new Date(systemClock.now().getTime() + 900_000);
      jest.spyOn(systemClock, 'now').mockReturnValue(woken);
      told.push(signal.aborted);
      return Promise.resolve({ kind: 'unknown' as const, detail: '' });
    });
    jest.restoreAllMocks();
    expect(told).toEqual([false, true]);
  });
});
