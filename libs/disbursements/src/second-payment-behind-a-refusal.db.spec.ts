/**
 * An operator called money paid, its rail says later that it refused it, which is named, and then that it took it on once more, under another
 * reference: a second payment, which is to be named as one although that other line is still open.
 */
import { type MoneyWorld, accepted, refused } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('a second payment of what its rail called refused in between', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test.each([true, false])('is named with its amount (the refusal is named before: %s)', async (isNamedBefore) => {
    world.rail.reset();
    const scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal();
    await scene.isListed(payout, 'one');
    await scene.resolve(payout, 'paid');
    expect(await world.status(payout.id)).toBe('paid');
    if (isNamedBefore) {
      await scene.tells(payout, refused());
      expect(await scene.openDrift(payout)).toMatchObject([{ kind: 'amount_differs', railCents: null }]);
      const alreadyPaid = expect.stringContaining('count as paid by it already');
      await expect(scene.resolve(payout, 'paid')).rejects.toMatchObject({ message: alreadyPaid });
    }
    await scene.tells(payout, accepted('two'));
    const twice = { kind: 'amount_differs', railCents: 12_000, railCurrency: 'USD', providerRef: 'two' };
    expect(await scene.openDrift(payout)).toMatchObject([twice]);
    await scene.resolve(payout, 'owed');
    await scene.tells(payout, accepted('two'));
    expect(await scene.openDrift(payout)).toEqual([]);
  });
});
