/**
 * What a failed payout had paid after all is called owed, comes back, is out again and comes back again, before anybody resolved the line about
 * the first time that it came back. Both lines are resolved: the money is not out. That it is out once more is news, and its rows wait.
 */
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

const CAME_BACK: LookupFact = { kind: 'bounced', feeCents: 0 };

describe('money of a failed payout that is out again, and came back twice behind one open line', () => {
  let world: MoneyWorld;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    scene = await OwedScene.of(world, await world.client());
  });

  test('is named, and its rows do not leave beside it', async () => {
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal('permanent');
    await scene.tells(payout, settled());
    await scene.resolve(payout, 'owed');
    await scene.tells(payout, CAME_BACK);
    await scene.tells(payout, settled());
    await scene.tells(payout, CAME_BACK);
    while ((await scene.openDrift(payout)).length > 0) await scene.resolve(payout, 'owed');
    await scene.tells(payout, settled());
    const open = await scene.openDrift(payout);
    const outcome = await scene.outcome();
    expect({ open: open.length, outcome }).toEqual({ open: 1, outcome: 'nothing_to_withdraw' });
  });
});
