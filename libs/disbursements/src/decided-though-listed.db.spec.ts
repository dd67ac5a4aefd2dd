/**
 * What an operator decided about money that went out stays decided, although its rail contradicts itself: it refuses what it lists, or it lists as
 * come back what was called paid. Otherwise the same line would be raised again with each comparison, and its rows wait for as long.
 */
import { systemClock } from '#libs/domain';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, refused } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('a decision about money that its rail lists', () => {
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

  /** It was refused for good, and is listed as gone out. */
  const listed = async (): Promise<Payout> => {
    const payout = await world.pay(scene.client, scene.payee, 5_000);
    await scene.refuse(payout, 'permanent');
    await scene.isListed(await world.payout(payout.id));
    expect(await scene.openDrift(payout)).toMatchObject([{ kind: 'not_paid_here', railCents: 5_000 }]);
    return world.payout(payout.id);
  };

  test('stays, if its rail says again and again that it refused it', async () => {
    const payout = await listed();
    await scene.resolve(payout, 'owed');
    const decidedAt = await world.payout(payout.id);
    await scene.tells(payout, refused('permanent'));
    const { clearedAt } = await world.payout(payout.id);
    expect([clearedAt === null, clearedAt?.getTime() === decidedAt.clearedAt?.getTime()]).toEqual([false, false]);
    await compare(world);
    expect(await scene.openDrift(payout)).toEqual([]);
  });

  test('stays, if what was called paid is listed as come back: only that is named', async () => {
    const payout = await listed();
    await scene.resolve(payout, 'paid');
    const [out] = world.rail.moved as [(typeof world.rail.moved)[number]];
    world.rail.moved.push({ ...out, direction: 'back', movedAt: systemClock.now() });
    await compare(world);
    // Its rail had its time to say so by itself.
    await world.db.execute(`UPDATE rail_movements SET listed_at = listed_at - interval '6 minutes'`);
    for (let comparison = 0; comparison < 2; comparison += 1) {
      await compare(world);
      expect(await scene.openDrift(payout)).toMatchObject([{ kind: 'amount_differs', liftingFeeCents: 0 }]);
    }
  });
});
