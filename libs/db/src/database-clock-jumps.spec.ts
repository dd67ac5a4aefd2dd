/**
 * The database's clock is set forward, as by a failover to a host that is a minute ahead, or on one that was paused and hears the time again: that
 * minute did not pass, and a call that began right before it may be under way (point 1: `OVER_AFTER_MS` of attempts is counted by `earliest`).
 */
import { DatabaseClock } from './database-clock';

test('a minute that no clock here saw pass is not over for certain', () => {
  const clock = new DatabaseClock();
  const database = Date.parse('2026-05-01T12:00:00Z');
  clock.set(new Date(database), clock.reading());
  const takenAt = clock.earliest();
  clock.set(new Date(database + 60_000), clock.reading());
  expect(clock.earliest().getTime() - takenAt.getTime()).toBeLessThan(45_000);
});
