/**
 * A rail speaks of money of another amount under the code of what failed for good, an operator decides about it, the rail calls it refused, and speaks
 * of it once more. What it says of another amount is a word as well (`wordOf`): nobody decided about that time, so it is named.
 */
import { type MoneyWorld, refused } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

const OTHER = {
  kind: 'unknown',
  detail: 'it is of another amount',
  spokeOf: { amountCents: 5_000, currency: 'USD', moved: true },
} as unknown as LookupFact;

describe('money of another amount that is out once more', () => {
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
    ['refused', refused('permanent') as LookupFact],
    ['come back', { kind: 'bounced', feeCents: 0 } as LookupFact],
  ])('after it was called %s, is named', async (_, between) => {
    const { id } = await world.pay(scene.client, scene.payee, 6_000);
    await scene.refuse(await world.payout(id), 'permanent');
    const payout = await world.payout(id);
    await scene.tells(payout, OTHER);
    expect(await scene.openDrift(payout)).toMatchObject([{ kind: 'amount_differs', railCents: 5_000 }]);
    await scene.resolve(payout, 'owed');
    await scene.tells(payout, between);
    while ((await scene.openDrift(payout)).length > 0) await scene.resolve(payout, 'owed');
    await scene.tells(payout, OTHER);
    expect(await scene.openDrift(payout)).toHaveLength(1);
  });
});
