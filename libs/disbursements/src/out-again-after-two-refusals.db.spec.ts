/**
 * As `out-again-after-called-owed`, called refused in between; but somebody had asked its rail before it settled, as the second look does 20 seconds
 * after each refusal. That it says no once more after the decision is heard all the same: if it then has the money out again, nobody decided about that.
 */
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('money that moved after a refusal that was heard twice, was called owed, called refused again, and went out again', () => {
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

  test.each([
    ['nobody looked before', false],
    ['a look had said no before', true],
  ])('is named, and its rows do not leave beside it: %s', async (_, isLookedAt) => {
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal('permanent');
    if (isLookedAt) {
      world.rail.knows.set(payout.railKey, refused('permanent'));
      await world.lookOnceMore(payout.id);
    }
    await scene.tells(payout, settled());
    await scene.resolve(payout, 'owed');
    await scene.tells(payout, refused('permanent'));
    world.rail.knows.set(payout.railKey, settled());
    const outcome = await scene.outcome();
    const open = await scene.openDrift(payout);
    expect({ outcome, open: open.length }).toEqual({ outcome: 'nothing_to_withdraw', open: 1 });
  });
});
