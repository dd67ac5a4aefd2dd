import { systemClock } from '#libs/domain';
import { DatabaseClock } from './database-clock';

describe('the time by the database', () => {
  afterEach(() => jest.restoreAllMocks());

  const at = (system: number, ticks: number): void => {
    jest.spyOn(systemClock, 'now').mockReturnValue(new Date(system));
    jest.spyOn(performance, 'now').mockReturnValue(ticks);
  };

  test("is the machine's own until the database was asked, and the database's from then on", () => {
    const clock = new DatabaseClock();
    at(1_000_000, 10);
    expect(clock.now().getTime()).toBe(1_000_000);
    clock.set(new Date(1_060_000)); // this machine is a minute late
    expect(clock.now().getTime()).toBe(1_060_000);
    at(1_002_000, 2_010);
    expect(clock.now().getTime()).toBe(1_062_000);
  });

  test('goes on while either of its own clocks does: a machine that slept is not early', () => {
    const clock = new DatabaseClock();
    at(1_000_000, 10);
    clock.set(new Date(1_000_000));
    at(1_030_000, 11);
    expect(clock.now().getTime()).toBe(1_030_000);
    at(1_000_001, 60_010);
    expect(clock.now().getTime()).toBe(1_060_000);
  });
});
