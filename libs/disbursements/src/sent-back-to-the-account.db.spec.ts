/**
 * An operator called rows paid whose money had moved in legs, as after a restore. If their bank sends it back, it lies in their payee's account at the
 * provider: its rail says that it is to be pulled back, and tells of a bounce only once it is.
 */
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, settled, thenDo } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('money in legs that an operator called paid, and that its bank sent back', () => {
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

  const calledPaid = async (): Promise<Payout> => {
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal('permanent');
    await scene.tells(payout, settled());
    expect(await scene.resolve(payout, 'paid')).toBe(1);
    expect(await scene.openDrift(payout)).toEqual([]);
    return payout;
  };

  test('is pulled back, or at least named', async () => {
    const payout = await calledPaid();
    await scene.tells(payout, thenDo('pull_back'));
    await world.drive(payout.id).catch(() => null); // at rest it has no job
    const isPulledBack = world.rail.calls.some(({ leg }) => leg?.name === 'pull_back');
    const isNamed = (await scene.openDrift(payout)).length > 0;
    expect(isPulledBack || isNamed).toBe(true);
  });
});
