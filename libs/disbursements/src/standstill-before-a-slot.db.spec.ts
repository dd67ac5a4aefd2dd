/**
 * Rows were on many payouts before, so that their rail is asked in portions. The next portion waits for a place, because all are taken by
 * others of the client's; meanwhile the process stands still, and what was said no of is paid. That the later answers are young says nothing of it.
 */
import { FairSlots } from '#libs/batcher';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, refused, settled, standsStill } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

/** So many are asked about at once, and then the next ones; all of a client's have so many places. */
const AT_ONCE = 8;
const STANDS_STILL_MS = 20_000;

class Signal {
  give: () => void = () => undefined;
  readonly given = new Promise<void>((resolve) => (this.give = resolve));
}

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
    const asked: string[] = [];
    const askedOf = ({ keys }: { keys: string[] }): string[] => asked.filter((key) => keys.includes(key));
    const [allWait, isOver, otherIsDone] = [new Signal(), new Signal(), new Signal()];
    const run = FairSlots.prototype.run;
    let wanted = 0;
    jest.spyOn(FairSlots.prototype, 'run').mockImplementation(function (this: FairSlots, lane, work) {
      const entered = run.call(this, lane, work);
      if (lane === client.id && (wanted += 1) === 2 * AT_ONCE) allWait.give();
      return entered;
    });
    jest.spyOn(world.rail, 'lookup').mockImplementation(async (order, call) => {
      const said = await lookup(order, call);
      asked.push(order.railKey);
      if (mine.keys.includes(order.railKey)) {
        if (askedOf(mine).length === AT_ONCE) void world.drive(other.id).then(() => otherIsDone.give());
        await allWait.given;
      } else if (askedOf(other).length < AT_ONCE) {
        await isOver.given;
      } else {
        // They have all places, so the first portion is through; the last one waits for one of them.
        await new Promise((resolve) => setImmediate(resolve));
        expect(askedOf(mine)).toEqual(mine.keys.slice(0, AT_ONCE));
        world.rail.knows.set(asked[0] ?? '', settled());
        standsStill(world, STANDS_STILL_MS);
        isOver.give();
      }
      return said;
    });
    await world.drive(mine.id);
    await otherIsDone.given;
    expect(askedOf(mine)).toEqual(mine.keys);
    expect(world.rail.callsOf(mine.id)).toEqual([]);
  });
});
