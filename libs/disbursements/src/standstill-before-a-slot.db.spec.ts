/**
 * Rows were on many payouts before, so that their rail is asked in portions. The next portion waits for a place, because others of the client's
 * are asked about; meanwhile the process stands still, and what was said no of is paid. That the later answers are young says nothing of it.
 */
import { DatabaseClock } from '#libs/db';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

/** So many are asked about at once, and then the next ones; all of a client's have so many places. */
const AT_ONCE = 8;
const STANDS_STILL_MS = 20_000;

describe('a payout of rows whose rail is asked about many payouts before, while others of its client are', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  afterEach(() => jest.restoreAllMocks());

  const waiting = async (scene: OwedScene, earlier: number): Promise<{ id: string; keys: string[] }> => {
    const keys: string[] = [];
    for (let nth = 0; nth < earlier; nth += 1) {
      await scene.push(1_000);
      const { railKey } = await scene.refusedWithdrawal();
      world.rail.knows.set(railKey, refused());
      keys.push(railKey);
    }
    await scene.push(1_000);
    const [{ id }] = (await scene.withdraw()) as [Payout];
    return { id, keys };
  };

  test('is not sent after a standstill while it waits for a place', async () => {
    const client = await world.client();
    const [mine, other] = [
      await waiting(await OwedScene.of(world, client), AT_ONCE + 1),
      await waiting(await OwedScene.of(world, client), AT_ONCE),
    ];
    world.rail.calls.length = 0;
    world.rail.says({ first: settled('again') });
    const lookup = world.rail.lookup.bind(world.rail);
    const clock = world.get(DatabaseClock);
    const asked: string[] = [];
    jest.spyOn(world.rail, 'lookup').mockImplementation(async (order, call) => {
      const said = await lookup(order, call);
      asked.push(order.railKey);
      if (order.railKey !== other.keys[0]) return said;
      // All of the first portion were answered; the last one waits for its place.
      expect(asked.filter((key) => mine.keys.includes(key))).toHaveLength(AT_ONCE);
      await new Promise((resolve) => setTimeout(resolve, 200)); // the first portion is through
      world.rail.knows.set(asked[0] ?? '', settled());
      for (const name of ['now', 'earliest'] as const) {
        const read = clock[name].bind(clock);
        jest.spyOn(clock, name).mockImplementation(() => new Date(read().getTime() + STANDS_STILL_MS));
      }
      return said;
    });
    await Promise.all([world.drive(mine.id), world.drive(other.id)]);
    expect(asked.filter((key) => mine.keys.includes(key))).toHaveLength(AT_ONCE + 1);
    expect(world.rail.callsOf(mine.id)).toEqual([]);
  });
});
