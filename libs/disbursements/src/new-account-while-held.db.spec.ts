/**
 * Rows left again under the code of before, to the same account, and were held before they were sent. Their payee takes another account,
 * as one does whose account is the trouble, and what is held goes on to that one: under a code that its rail knows with the old one.
 */
import { RemedyPayout } from '#libs/payouts';
import { accepted, type MoneyWorld, refused } from '#libs/payouts/testing';
import type { Payout } from '#libs/payout-rules';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows that were refused for now, left again, and were held until their payee had another account', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test('go to it under a code that was never sent to the old one', async () => {
    const scene = await OwedScene.of(world, await world.client({ coolDownSeconds: 0 }));
    await scene.push(6_000);
    const before = await scene.refusedWithdrawal();
    world.rail.knows.set(before.railKey, refused());
    const [again] = (await scene.withdraw()) as [Payout];
    const isBlocked = (blocked: boolean) =>
      world.db.execute('UPDATE payees SET blocked = $2 WHERE id = $1', [scene.payee.id, blocked]);
    await isBlocked(true);
    await world.drive(again.id);
    expect(await world.status(again.id)).toBe('held');
    await isBlocked(false);
    const account = await world.adopt(scene.client, scene.payee);
    await world
      .get(RemedyPayout)
      .release(await world.payout(again.id), 'client')
      .catch(() => undefined);
    world.rail.calls.length = 0;
    world.rail.answers = () => accepted();
    if ((await world.status(again.id)) === 'authorized') await world.drive(again.id);
    const sent = world.rail.calls.at(-1)?.order;
    expect(before.accountId).not.toBe(account);
    // custodial_a and custodial_b show the payment to the old account under this code, and never say anything of the new one.
    expect([sent?.accountId, sent?.railKey]).not.toEqual([account, before.railKey]);
  });
});
