/**
 * A rail says no of what failed, early in the time for which it remembers. Whoever asked stands still with that answer until that time is nearly
 * over: written down as of then it would be the rail's last word, though the rail may have moved the money since, and forgotten that.
 */
import { DatabaseClock } from '#libs/db';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, refused } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

/** The rails of the specs remember for an hour. */
const STANDS_STILL = 0.9 * 3_600;

describe('a no that is heard long after it was said', () => {
  let world: MoneyWorld;
  let scene: OwedScene;
  let row: string;
  let payout: Payout;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  afterEach(() => jest.restoreAllMocks());
  beforeEach(async () => {
    scene = await OwedScene.of(world, await world.client());
    row = await scene.push(6_000);
    payout = await scene.refusedWithdrawal();
    world.rail.reset();
    world.rail.knows.set(payout.railKey, refused());
  });

  const passes = async (seconds: number): Promise<void> => {
    await world.age(payout.id, seconds);
    await world.db.execute(
      `UPDATE payouts SET updated_at = updated_at - $2::float8 * interval '1 second',
         cleared_at = cleared_at - $2::float8 * interval '1 second' WHERE id = $1`,
      [payout.id, seconds],
    );
  };
  /** Somebody asks, so many seconds ago, and hears the answer once the spec opens the gate. */
  const asksAgo = async (seconds: number): Promise<() => Promise<unknown>> => {
    const clock = world.get(DatabaseClock);
    for (const name of ['now', 'earliest', 'nextDate'] as const) {
      const read = clock[name].bind(clock);
      jest.spyOn(clock, name).mockImplementation(() => new Date(read().getTime() - seconds * 1000));
    }
    let open: () => void = () => undefined;
    world.rail.lookupGate = new Promise((resolve) => (open = resolve));
    const looking = world.lookOnceMore(payout.id);
    await world.rail.lookingUp(payout.railKey);
    jest.restoreAllMocks();
    return async () => {
      open();
      await looking;
    };
  };

  test.each([
    ['is no last word', STANDS_STILL, 'owed'],
    ['is one if it was asked for late enough', 0, 'released'],
  ])('%s', async (_, secondsAgo, becomes) => {
    await passes(STANDS_STILL);
    const hears = await asksAgo(secondsAgo);
    await hears();
    expect((await world.payout(payout.id)).clearedAt).not.toBeNull();
    // It moved the money meanwhile, for all we know, and has forgotten all by now.
    await passes(3_600);
    world.rail.knows.delete(payout.railKey);
    await scene.push(1_000);
    expect(await scene.outcome()).toEqual([becomes === 'owed' ? 1_000 : 7_000]);
    expect(await scene.statuses(row)).toEqual([becomes]);
  });

  test('does not count if anything was learned of the payout since it was asked', async () => {
    const hears = await asksAgo(0);
    await world.db.execute(`UPDATE payouts SET updated_at = now() WHERE id = $1`, [payout.id]);
    await hears();
    expect((await world.payout(payout.id)).clearedAt).toBeNull();
    await world.lookOnceMore(payout.id);
    expect((await world.payout(payout.id)).clearedAt).not.toBeNull();
  });
});
