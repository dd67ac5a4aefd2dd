/**
 * The database's clock is set a minute forward while a call of a rail is under way, as by a failover to a host that is ahead, or on one that was
 * paused and hears the time again. That call is as young as before: a refusal of another one does not count, and no row leaves beside it.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { DatabaseClock } from '#libs/db';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('a clock of the database that jumps while a rail is called', () => {
  let world: MoneyWorld;
  beforeAll(async () => (world = await startOwedWorld()));
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  const jumps = (ms: number): void => {
    const clock = world.get(DatabaseClock);
    const set = clock.set.bind(clock);
    jest.spyOn(clock, 'set').mockImplementation((now, asked) => set(new Date(now.getTime() + ms), asked));
    clock.set(clock.now(), clock.reading());
  };

  test.each([0, 60_000])('by %i ms', async (ms) => {
    world.rail.reset();
    const { rail } = world;
    const called = async (count: number): Promise<void> => {
      while (rail.calls.length < count) await turn();
    };
    const scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
    const [payout] = await scene.withdraw();
    const id = payout?.id ?? '';
    world.later(world.drive(id));
    await called(1);
    jumps(ms);
    const second = world.drive(id);
    rail.knows.set(payout?.railKey ?? '', refused('transient') as LookupFact);
    // A process that does not know for certain what time it is sends nothing.
    if (ms === 0) await called(2);
    rail.calls[1]?.answer(refused('transient'));
    await second;
    expect(rail.calls).toHaveLength(ms === 0 ? 2 : 1);
    await scene.push(1_000);
    rail.answers = () => settled();
    const more = await scene.outcome();
    // The first call arrives at last.
    rail.calls[0]?.answer(settled());
    await turn();
    expect(more).toEqual([1_000]); // the 6,000 are on their way
  });
});
