/**
 * As `new-account-while-held`: rows that were refused for now are held on their next payout, which has the code of before. Their payee moves to
 * another rail meanwhile, where somebody looks at what is held, and comes back to the first one.
 */
import { RemedyPayout } from '#libs/payouts';
import { accepted, type MoneyWorld, refused } from '#libs/payouts/testing';
import type { Payout } from '#libs/payout-rules';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows that one account was refused, and that were held while their payee had another rail for a while', () => {
  let world: MoneyWorld;
  let scene: OwedScene;
  let before: Payout;
  let again: Payout;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    scene = await OwedScene.of(world, await world.client({ coolDownSeconds: 0 }));
    await scene.push(6_000);
    before = await scene.refusedWithdrawal();
    world.rail.knows.set(before.railKey, refused());
    [again] = (await scene.withdraw()) as [Payout];
    await block(true);
    await world.drive(again.id);
    expect(await world.payout(again.id)).toMatchObject({ status: 'held', railKey: before.railKey });
    await world.adopt(scene.client, scene.payee, undefined, 'at_once_account');
    world.rail.answers = () => accepted();
  });

  const block = (blocked: boolean): Promise<unknown> =>
    world.db.execute('UPDATE payees SET blocked = $2 WHERE id = $1', [scene.payee.id, blocked]);
  const released = async (): Promise<Payout> => {
    await world.get(RemedyPayout).release(await world.payout(again.id), 'client');
    if ((await world.status(again.id)) === 'authorized') await world.drive(again.id);
    return world.payout(again.id);
  };

  test('are held rather than sent to another account of their first rail, for their code went to the old one', async () => {
    expect(await released()).toMatchObject({ status: 'held', provider: 'at_once_account' });
    await block(false);
    await world.adopt(scene.client, scene.payee);
    // Under this code custodial_a and custodial_b show the payment to the old account, and say nothing of the new one.
    expect(await released()).toMatchObject({
      status: 'held',
      statusReason: expect.stringContaining('another account') as string,
    });
  });

  test('go to the old account of their first rail under the code of before', async () => {
    await released();
    await block(false);
    await world.adopt(scene.client, scene.payee, before.accountId ?? '');
    expect(await released()).toMatchObject({ status: 'submitted', accountId: before.accountId });
  });

  test('go over the other rail at once, which never saw their code', async () => {
    await block(false);
    expect(await released()).toMatchObject({ status: 'submitted', provider: 'at_once_account' });
  });
});
