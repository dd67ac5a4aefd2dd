/**
 * An answer of twenty seconds ago permits no send, also if the database's clock was set back by a minute meanwhile, as by a
 * failover to a host that is behind. `now()` is the latest it can be: what no clock here saw go back did not.
 */
import { DatabaseClock } from '#libs/db';
import { systemClock } from '#libs/domain';
import type { Payout } from '#libs/payout-rules';
import { accepted, type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

const STANDSTILL_MS = 20_000;

describe('rows whose earlier payout was asked about before their process stood still', () => {
  let world: MoneyWorld;
  // Its clock remembers for a minute that it was set.
  beforeEach(async () => (world = await startOwedWorld()));
  afterEach(() => jest.restoreAllMocks());
  afterEach(() => world.stop());

  /** These clocks go on, and the database's is set back by so much. */
  const standsStill = (setBackMs: number): void => {
    const [ticks, system] = [performance.now.bind(performance), systemClock.now.bind(systemClock)];
    jest.spyOn(performance, 'now').mockImplementation(() => ticks() + STANDSTILL_MS);
    jest.spyOn(systemClock, 'now').mockImplementation(() => new Date(system().getTime() + STANDSTILL_MS));
    const clock = world.get(DatabaseClock);
    const set = clock.set.bind(clock);
    const shown = (): Date => new Date(system().getTime() + STANDSTILL_MS - setBackMs);
    jest.spyOn(clock, 'set').mockImplementation((_, asked) => set(shown(), asked));
    set(shown(), clock.reading());
  };

  // 20 s: the host of the database was paused for as long, and its clock stood still.
  test.each([0, 20_000, 60_000])('stay where they are, by a clock that is set back by %i ms', async (setBackMs) => {
    const client = await world.client();
    world.rail.reset();
    const scene = await OwedScene.of(world, client, 'DE');
    await scene.push(6_000);
    world.rail.answers = () => refused();
    const [first] = (await scene.withdraw()) as [Payout];
    expect((await world.payout(first.id)).status).toBe('failed');
    world.rail.knows.set(first.railKey, refused());
    world.rail.calls.length = 0;
    world.rail.answers = () => accepted('second');
    await scene.push(1_000);
    const lookup = world.rail.lookup.bind(world.rail);
    let asked = 0;
    jest.spyOn(world.rail, 'lookup').mockImplementation(async (order, call) => {
      const said = await lookup(order, call);
      if (order.railKey === first.railKey && (asked += 1) === 1) {
        world.rail.knows.set(first.railKey, settled('first')); // 6,000 arrive, while this process stands still
        standsStill(setBackMs);
      }
      return said;
    });
    const [made] = (await scene.withdraw()) as [Payout];
    expect(made).toMatchObject({ amountCents: 7_000 });
    expect(world.rail.calls).toHaveLength(0); // 13,000 of 7,000
  });
});
