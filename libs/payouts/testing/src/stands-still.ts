import { DatabaseClock } from '#libs/db';
import type { MoneyWorld } from './world';

/** From now on it is so much later: the process stood still. Until mocks are restored. */
export function standsStill(world: MoneyWorld, ms: number): void {
  const clock = world.get(DatabaseClock);
  for (const name of ['now', 'earliest', 'nextDate'] as const) {
    const read = clock[name].bind(clock);
    jest.spyOn(clock, name).mockImplementation(() => new Date(read().getTime() + ms));
  }
}

/**
 * The ticks of this process are ahead by so much, until mocks are restored. The database's clock is not set by them: it would be wrong for a second
 * after that.
 */
export function ticksAhead(world: MoneyWorld, ms: () => number): void {
  const now = performance.now.bind(performance);
  jest.spyOn(world.get(DatabaseClock), 'set').mockImplementation(() => undefined);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + ms());
}
