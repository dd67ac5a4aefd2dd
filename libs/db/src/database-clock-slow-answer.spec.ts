/**
 * A process stood still for ten seconds (or the network did) while the database's answer to what time it is lay in its socket. It reads an old time, and
 * the right one a second later: nobody set the clock, and the time for certain does not lag behind for a minute. As long as it lags by more than four
 * seconds no job sends anything: a send that was taken on by `earliest` is too late by `now` (BEGIN_WITHIN_MS).
 */
import { systemClock } from '#libs/domain';
import { DatabaseClock } from './database-clock';

const START = 1_000_000;
const BEGIN_WITHIN_MS = 4_000;

describe('the time by the database, after an answer that was read late', () => {
  afterEach(() => jest.restoreAllMocks());

  const at = (ms: number): void => {
    jest.spyOn(systemClock, 'now').mockReturnValue(new Date(START + ms));
    jest.spyOn(performance, 'now').mockReturnValue(10 + ms);
  };
  const told = (clock: DatabaseClock, askedMs: number, readMs: number): void => {
    at(askedMs);
    const asked = clock.reading();
    at(readMs);
    clock.set(new Date(START + askedMs), asked);
  };

  test.each([1_500, 10_000, 30_000])('does not lag behind, %i ms later', (later) => {
    const clock = new DatabaseClock();
    told(clock, 0, 0);
    told(clock, 1_000, 11_000);
    told(clock, 12_000, 12_000);
    at(12_000 + later);
    expect(clock.now().getTime() - clock.earliest().getTime()).toBeLessThan(BEGIN_WITHIN_MS);
  });
});
