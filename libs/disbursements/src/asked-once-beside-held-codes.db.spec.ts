/**
 * A comparison puts what it has to ask about once: not once more for each code that somebody holds as it looks, whose turn comes after all others (1; ADR 72).
 */
import { holding } from '#libs/db/testing';
import { RailLists } from '#libs/drift';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, refused } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { compare } from '#libs/reconciliation/testing';
import { movementOf, OwedScene, startOwedWorld } from '../testing/src';

let world: MoneyWorld;
beforeAll(async () => {
  world = await startOwedWorld();
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => world.stop());

test('a comparison asks about each payout once, however many others are held', async () => {
  const client = await world.client();
  const made = async (failure: 'transient' | 'permanent'): Promise<Payout> => {
    const scene = await OwedScene.of(world, client);
    await scene.push(6_000);
    return scene.sentAndRefused(failure);
  };
  const late: Payout[] = [];
  for (let n = 0; n < 6; n += 1) late.push(await made('transient'));
  const held: Payout[] = [];
  for (let n = 0; n < 4; n += 1) held.push(await made('permanent'));
  world.rail.moved = late.map((payout) => movementOf(payout, 'out', 'late'));
  for (const { railKey } of late) world.rail.knows.set(railKey, refused('transient') as LookupFact);
  await compare(world);
  await world.db.execute(`UPDATE rail_movements SET listed_at = listed_at - interval '6 minutes'`);
  world.rail.moved = held.map((payout) => movementOf(payout, 'out', 'now'));
  const letGo: (() => Promise<unknown>)[] = [];
  for (const { id } of held)
    letGo.push(await holding(world.db, 'SELECT FROM payouts WHERE id = $1 FOR NO KEY UPDATE', [id]));
  const lists = world.get(RailLists);
  const holdCode = lists.holdCode.bind(lists);
  jest.spyOn(lists, 'holdCode').mockImplementation(async (...what) => {
    for (const go of letGo.splice(0)) await go();
    return holdCode(...what);
  });
  world.rail.asked.length = 0;
  await compare(world);
  const asked = late.map(({ railKey }) => world.rail.asked.filter((order) => order.railKey === railKey).length);
  expect(asked).toEqual(late.map(() => 1));
}, 60_000);
