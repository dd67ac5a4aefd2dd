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
    clock.set(new Date(1_060_000), clock.reading()); // this machine is a minute late
    expect(clock.now().getTime()).toBe(1_060_000);
    at(1_002_000, 2_010);
    expect(clock.now().getTime()).toBe(1_062_000);
  });

  test('goes on while either of its own clocks does: a machine that slept is not early', () => {
    const clock = new DatabaseClock();
    at(1_000_000, 10);
    clock.set(new Date(1_000_000), clock.reading());
    at(1_030_000, 11);
    expect(clock.now().getTime()).toBe(1_030_000);
    at(1_000_001, 60_010);
    expect(clock.now().getTime()).toBe(1_060_000);
  });

  test('may be as much later as the answer took to be read: whoever stood still reads an old time', () => {
    const clock = new DatabaseClock();
    at(1_000_000, 10);
    const asked = clock.reading();
    at(1_050_000, 50_010);
    clock.set(new Date(1_000_000), asked);
    expect(clock.now().getTime()).toBe(1_050_000);
    expect(clock.earliest().getTime()).toBe(1_000_000);
  });

  test('is for certain only as late as both of its own clocks say: one that was set anew ends nothing', () => {
    const clock = new DatabaseClock();
    at(1_000_000, 10);
    expect(clock.earliest().getTime()).toBe(1_000_000);
    clock.set(new Date(2_000_000), clock.reading());
    at(1_000_500, 1_010);
    expect(clock.earliest().getTime()).toBe(2_000_500);
    at(4_600_000, 1_010);
    expect(clock.earliest().getTime()).toBe(2_001_000);
  });

  test('gives later dates to what is asked later, and never earlier ones, as far as it may be so late', () => {
    const clock = new DatabaseClock();
    at(1_000_000, 10);
    clock.set(new Date(2_000_000), clock.reading());
    at(1_001_000, 1_010);
    const asked = clock.reading();
    at(1_001_200, 1_210);
    expect(clock.nextDate().getTime()).toBe(2_001_200);
    expect(clock.nextDate().getTime()).toBe(2_001_200); // it is no later than that
    at(1_001_300, 1_310); // the answer took long
    clock.set(new Date(2_001_000), asked);
    expect([clock.nextDate().getTime(), clock.nextDate().getTime()]).toEqual([2_001_201, 2_001_202]);
    expect(clock.earliest().getTime()).toBe(2_001_000);
    at(1_002_300, 2_310);
    expect(clock.nextDate().getTime()).toBe(2_002_000);
  });

  test('gives no earlier date after an answer that was read minutes late: whoever stood still did not see a clock that was set back', () => {
    const clock = new DatabaseClock();
    at(1_000_000, 10);
    clock.set(new Date(1_000_000), clock.reading());
    at(1_001_000, 1_010);
    const asked = clock.reading();
    at(1_121_000, 121_010);
    const before = clock.nextDate().getTime();
    clock.set(new Date(1_001_000), asked);
    expect(clock.nextDate().getTime()).toBeGreaterThanOrEqual(before);
  });

  test('gives earlier dates once the database was set back by more than an answer may take', () => {
    const clock = new DatabaseClock();
    at(1_000_000, 10);
    clock.set(new Date(2_000_000), clock.reading());
    expect(clock.nextDate().getTime()).toBe(2_000_000);
    at(1_001_000, 1_010);
    clock.set(new Date(1_970_000), clock.reading());
    expect(clock.nextDate().getTime()).toBe(2_000_001);
    at(1_002_000, 2_010);
    clock.set(new Date(1_900_000), clock.reading());
    expect(clock.nextDate().getTime()).toBe(1_900_000);
  });
});
