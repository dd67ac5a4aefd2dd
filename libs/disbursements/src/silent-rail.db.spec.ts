/** A rail that answers no question keeps nobody but those who wait for it, and them for a while only. */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { RailCaller } from '#libs/rail-registry';
import { type MoneyWorld, refused, ticksAhead } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('withdrawals, when a rail does not answer', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  beforeEach(() => world.rail.reset());
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  /** A payout of rows that was refused for good: its rail is asked once more before they leave again. */
  const inDoubt = async (client: Client): Promise<OwedScene> => {
    const scene = await OwedScene.of(world, client);
    await scene.push(1_000);
    await scene.refusedWithdrawal('permanent');
    return scene;
  };

  test('others withdraw meanwhile', async () => {
    const waiting: OwedScene[] = [];
    for (let n = 0; n < 2; n += 1) {
      const client = await world.client();
      for (let k = 0; k < 2; k += 1) waiting.push(await inDoubt(client));
    }
    const other = await OwedScene.of(world, await world.client());
    await other.push(1_000);
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    let allAsk: () => void = () => undefined;
    const asking = new Promise<void>((resolve) => (allAsk = resolve));
    let asked = 0;
    jest.spyOn(world.get(RailCaller), 'lookup').mockImplementation(async () => {
      asked += 1;
      if (asked === waiting.length) allAsk();
      await answered;
      return { kind: 'unknown', detail: 'the spec is over' };
    });
    const outcomes = waiting.map((scene) => scene.outcome());
    await asking;
    expect(await other.outcome()).toEqual([1_000]);
    answer();
    expect(await Promise.all(outcomes)).toEqual(waiting.map(() => 'nothing_to_withdraw'));
  });

  test('a rail that is slow is asked for a while, about the youngest first', async () => {
    const client = await world.client();
    const scene = await OwedScene.of(world, client);
    const rows: string[] = [];
    for (let n = 0; n < 10; n += 1) {
      world.rail.answers = null;
      rows.push(await scene.push(1_000));
      const [payout] = await scene.withdraw();
      if (!payout) throw new Error('Nothing was withdrawn.');
      await scene.refuse(payout, 'permanent');
      // It stays where it is while the others are made.
      world.rail.knows.set(payout.railKey, { kind: 'unknown', detail: 'not now' });
    }
    let late = 0;
    ticksAhead(world, () => late);
    jest.spyOn(world.get(RailCaller), 'lookup').mockImplementation(async () => {
      late += 1_000;
      return refused('permanent') as never;
    });
    expect(await scene.outcome()).toEqual([8_000]);
    expect(await scene.statuses(...rows)).toEqual([...Array(2).fill('owed'), ...Array(8).fill('released')] as string[]);
    jest.restoreAllMocks();
  });

  test('what there was no time to ask it about stays, however often it was refused before', async () => {
    const scene = await OwedScene.of(world, await world.client());
    const row = await scene.push(1_000);
    for (let n = 0; n < 10; n += 1) {
      const { railKey } = await scene.refusedWithdrawal();
      world.rail.knows.set(railKey, refused());
      await scene.push(1_000);
    }
    let late = 0;
    ticksAhead(world, () => late);
    const lookup = jest.spyOn(world.get(RailCaller), 'lookup').mockImplementation(async () => {
      late += 1_000;
      return { kind: 'unknown', detail: 'no answer' };
    });
    // What was on no other payout leaves.
    expect(await scene.outcome()).toEqual([1_000]);
    expect(lookup).toHaveBeenCalledTimes(8);
    expect(await scene.statuses(row)).toEqual(['owed']);
  });

  test('it is asked about no more than a portion before a send that does not come of it', async () => {
    const scene = await OwedScene.of(world, await world.client());
    await scene.push(1_000);
    for (let n = 0; n < 10; n += 1) {
      const { railKey } = await scene.refusedWithdrawal();
      world.rail.knows.set(railKey, refused());
      await scene.push(1_000);
    }
    const [{ id }] = (await scene.withdraw()) as [Payout];
    const lookup = jest
      .spyOn(world.get(RailCaller), 'lookup')
      .mockImplementation(async () => ({ kind: 'unknown', detail: 'no answer' }));
    await world.drive(id);
    expect(lookup).toHaveBeenCalledTimes(8);
    expect(world.rail.callsOf(id)).toEqual([]);
    expect(await world.status(id)).toBe('authorized');
  });
});
