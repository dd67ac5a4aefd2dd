/**
 * Rows were on many payouts before, so that their rail is asked in portions. Between two of them the process stands still, and what was said
 * no of is paid. That the last answers are young says nothing of the first.
 */
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, refused, settled, standsStill } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

/** So many are asked about at once, and then the next ones. */
const AT_ONCE = 8;
const EARLIER = 9;
const STANDS_STILL_MS = 20_000;

describe('a payout of rows whose rail is asked about many payouts before', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  afterEach(() => jest.restoreAllMocks());

  test('is not sent after a standstill between the questions', async () => {
    const scene = await OwedScene.of(world, await world.client());
    const keys: string[] = [];
    for (let nth = 0; nth < EARLIER; nth += 1) {
      await scene.push(1_000);
      const { railKey } = await scene.refusedWithdrawal();
      world.rail.knows.set(railKey, refused());
      keys.push(railKey);
    }
    expect(new Set(keys).size).toBe(EARLIER);
    await scene.push(1_000);
    const [{ id }] = (await scene.withdraw()) as [Payout];
    world.rail.calls.length = 0;
    world.rail.says({ first: settled('again') });

    const lookup = world.rail.lookup.bind(world.rail);
    const asked: string[] = [];
    jest.spyOn(world.rail, 'lookup').mockImplementation(async (order, call) => {
      const said = await lookup(order, call);
      asked.push(order.railKey);
      if (asked.length !== AT_ONCE) return said;
      world.rail.knows.set(asked[0] ?? '', settled());
      standsStill(world, STANDS_STILL_MS);
      return said;
    });
    await world.drive(id);
    expect(asked.slice(0, EARLIER).sort()).toEqual(keys.sort());
    expect(world.rail.callsOf(id)).toEqual([]);
    // They are asked once more, and then it is known.
    await world.drive(id);
    expect(world.rail.callsOf(id)).toEqual([]);
    expect((await world.payout(id)).status).not.toBe('submitted');
  });
});
