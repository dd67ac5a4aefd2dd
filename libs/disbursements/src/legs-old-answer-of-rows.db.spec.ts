/**
 * A payout of rows in legs is started over. Its rail said no of it; to ask about all that its rows were on before took its time then, and it was
 * paid meanwhile. That the answers about the others are young says nothing of its own.
 */
import type { Payout } from '#libs/payout-rules';
import { RemedyPayout } from '#libs/payouts';
import { type MoneyWorld, refused, settled, standsStill, thenDo } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

const TAKES_MS = 20_000;

describe('a payout of rows in legs that is begun anew long after its rail said no of it', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  afterEach(() => jest.restoreAllMocks());

  test('is not begun before its rail says so once more', async () => {
    const scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
    const before = await scene.refusedWithdrawal();
    world.rail.knows.set(before.railKey, refused());
    await scene.push(1_000);
    world.rail.says({ first: thenDo('payout'), payout: refused() });
    const [{ id, railKey }] = (await scene.withdraw()) as [Payout];
    for (let turn = 0; turn < 2; turn += 1) await world.drive(id);
    expect(await world.payout(id)).toMatchObject({ status: 'failed', amountCents: 7_000 });
    world.rail.knows.set(railKey, refused());
    await world.get(RemedyPayout).retry(await world.payout(id), 'client');

    world.rail.calls.length = 0;
    world.rail.says({ first: thenDo('payout'), payout: settled('again') });
    const lookup = world.rail.lookup.bind(world.rail);
    jest.spyOn(world.rail, 'lookup').mockImplementation(async (order, call) => {
      const said = await lookup(order, call);
      if (order.railKey !== railKey || said.kind !== 'refused') return said;
      // As if the questions about the first of many earlier ones took so long, and that about the last one was put just now.
      world.rail.knows.set(railKey, settled());
      standsStill(world, TAKES_MS);
      return said;
    });
    for (let turn = 0; turn < 2; turn += 1) await world.drive(id);
    expect(world.rail.callsOf(id)).toEqual([]);
  });
});
