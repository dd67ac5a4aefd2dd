import { DatabaseClock } from '#libs/db';
import type { MoneyWorld } from './world';

/** From now on it is so much later: the process stood still. Until mocks are restored. */
export function standsStill(world: MoneyWorld, ms: number): void {
  const clock = world.get(DatabaseClock);
  for (const name of ['now', 'earliest'] as const) {
    const read = clock[name].bind(clock);
    jest.spyOn(clock, name).mockImplementation(() => new Date(read().getTime() + ms));
  }
}
