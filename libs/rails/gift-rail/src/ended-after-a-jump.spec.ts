/**
 * The database's clock was set forward by two minutes: a process that saw it says the time of before for eleven minutes (`earliestForDoubt`), one that was started
 * since does not. The first notes that an order ended, so its money is owed again. What the other one asked a moment before says that it lives: that is as old as
 * ever, and nobody is led to it.
 */
import { FixedClock, memoryRailStores } from '#libs/rail-kit/testing';
import { Handovers } from './handovers';

const JUMP_MS = 120_000;

test.each([0, JUMP_MS])('an order that ended just now does not live by an older answer (%i ms)', async (behindMs) => {
  const clock = new FixedClock();
  const store = memoryRailStores(clock)('gift_rail');
  const behind = { now: () => new Date(clock.now().getTime() - behindMs), latest: () => clock.now() };
  const [sawIt, startedSince] = [new Handovers(store, behind), new Handovers(store, clock)];
  const askedAt = clock.now();
  expect(await sawIt.ends('order')).toBe(true);
  await startedSince.noteAlive('order', askedAt);
  await expect(startedSince.note('order')).rejects.toThrow('The order has ended');
});
