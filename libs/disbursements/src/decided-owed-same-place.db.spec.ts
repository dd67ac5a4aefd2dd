/**
 * A rail refused rows for now, an operator failed their payout, the rail took the order on after all, and then refused it for now again. The operator
 * closes the difference: they are owed. To the same place they have the code of then, for the rail may take that order on once more.
 */
import { GiveUpPayout } from '#libs/payouts';
import type { Payout } from '#libs/payout-rules';
import { accepted, type MoneyWorld, refused } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows of which an operator said that they are owed, as their rail refused them for now', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test('go back to that place under the code of then', async () => {
    const scene = await OwedScene.of(world, await world.client({ coolDownSeconds: 0 }));
    await scene.push(6_000);
    const first = await scene.sentAndRefused();
    await world.get(GiveUpPayout).run(await world.payout(first.id), 'by hand');
    await scene.tells(first, accepted() as LookupFact);
    expect(await scene.openDrift(first)).toHaveLength(1);
    await scene.tells(first, refused() as LookupFact);
    await scene.resolve(first, 'owed');
    const [again] = (await scene.withdraw()) as [Payout];
    expect(again.accountId).toBe(first.accountId);
    expect(again.railKey).toBe(first.railKey);
  });
});
