/**
 * Money of a payout that failed is on its rail's list, and somebody holds the payout in the very moment of the comparison, as any withdrawal of its payee does for some milliseconds.
 * There is one comparison a minute: what it left out it looks at again before it ends, or that money is named within two minutes, or, beside a payee who withdraws again
 * and again, by chance only (point 1: "becomes drift that names it within the minute").
 */
import type { Client } from '#libs/clients';
import { holding } from '#libs/db/testing';
import { RailLists } from '#libs/drift';
import type { MoneyWorld } from '#libs/payouts/testing';
import { accepted } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { movementOf, OwedScene, startOwedWorld } from '../testing/src';

describe('a payout that failed and is listed as moved', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  test.each([false, true])('is named by that comparison (somebody holds it for a moment: %s)', async (isHeld) => {
    world.rail.reset();
    const scene = await OwedScene.of(world, client);
    const payout = await scene.clearedWithdrawal(6_000);
    world.rail.moved = [movementOf(payout, 'out', 'late')];
    const letGo = isHeld
      ? await holding(world.db, 'SELECT FROM payouts WHERE id = $1 FOR NO KEY UPDATE', [payout.id])
      : () => Promise.resolve();
    const lists = world.get(RailLists);
    const looks = lists.hold.bind(lists);
    jest.spyOn(lists, 'hold').mockImplementationOnce(async (rail, some, how) => {
      const free = await looks(rail, some, how);
      await letGo();
      return free as never;
    });
    await compare(world);
    const named = (await scene.openDrift(payout)).length;
    // And what its rail listed keeps its rows, whatever a look-up says that lags behind (point 2).
    await scene.push(1_000);
    world.rail.answers = () => accepted('once more');
    expect([named, await scene.outcome()]).toEqual([1, [1_000]]);
  });
});
