/** Money that came back and that its rail sent out again: what is owed instead of it was paid, an operator says. */
import type { Client } from '#libs/clients';
import { accepted, type MoneyWorld, settled } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('money that went out again after it came back', () => {
  let world: MoneyWorld;
  let client: Client;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  test('is what is owed instead, once an operator says that it was paid', async () => {
    scene = await OwedScene.of(world, client);
    await scene.push(6_000);
    const [payout] = await scene.withdraw();
    if (!payout) throw new Error('Nothing left.');
    world.rail.answers = () => accepted('one');
    await world.drive(payout.id);
    await scene.tells(payout, settled('one'));
    await scene.tells(payout, { kind: 'bounced', feeCents: 100 });
    expect(await world.status(payout.id)).toBe('returned');
    await scene.tells(payout, settled('two'));
    expect(await scene.openDrift(payout)).toMatchObject([{ kind: 'amount_differs', providerRef: 'two' }]);
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
    expect(await scene.resolve(payout, 'paid')).toBe(1);
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
    expect(await scene.balance()).toEqual({ withdrawableCents: 0, landedCents: 5_900 });
    expect(await world.status(payout.id)).toBe('returned');
    // Of 6,000 that left once more the bank's 100 were not owed: somebody has to recover them.
    expect(await scene.openDrift(payout)).toMatchObject([{ railCents: 6_000, ourCents: 5_900 }]);
    await scene.resolve(payout, 'owed');
    expect(await scene.openDrift(payout)).toEqual([]);
  });
});
