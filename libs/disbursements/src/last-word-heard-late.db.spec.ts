/**
 * A rail says no of what failed, early in the time for which it remembers. Whoever asked stands still with that answer until that time is nearly
 * over: then it is written down as of now, as the rail's last word, though the rail may have moved the money since, and forgotten that.
 */
import { type MoneyWorld, refused } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

/** The rails of the specs remember for an hour. */
const STANDS_STILL = 0.9 * 3_600;

describe('a no that is heard long after it was said', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test('is no last word', async () => {
    const scene = await OwedScene.of(world, await world.client());
    const row = await scene.push(6_000);
    const { id, railKey } = await scene.refusedWithdrawal();
    world.rail.knows.set(railKey, refused());
    let open: () => void = () => undefined;
    world.rail.lookupGate = new Promise((resolve) => (open = resolve));
    const looking = world.lookOnceMore(id);
    await world.rail.lookingUp(railKey);
    await world.age(id, STANDS_STILL);
    await world.db.execute(`UPDATE payouts SET updated_at = updated_at - $2::float8 * interval '1 second' WHERE id = $1`, [
      id,
      STANDS_STILL,
    ]);
    open();
    await looking;
    // It moved the money meanwhile, and has forgotten all by now.
    await world.age(id, 3_600);
    world.rail.knows.delete(railKey);
    await scene.push(1_000);
    expect(await scene.outcome()).toEqual([1_000]);
    expect(await scene.statuses(row)).toEqual(['owed']);
  });
});
