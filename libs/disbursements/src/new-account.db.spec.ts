/** What came back for now leaves again after its payee took another account: rails tell payments of one code by their account. */
import { type MoneyWorld } from '#libs/payouts/testing';
import { accepted, refused } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows whose payout was refused for now, of a payee who has another account since', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test('go to it under a code that was never sent to the old one', async () => {
    const scene = await OwedScene.of(world, await world.client({ coolDownSeconds: 0 }));
    await scene.push(6_000);
    const before = await scene.refusedWithdrawal();
    expect(before).toMatchObject({ status: 'failed', failureKind: 'transient', provider: 'custodial_a' });
    world.rail.knows.set(before.railKey, refused());
    const account = await world.adopt(scene.client, scene.payee);
    const [after] = await scene.withdraw();
    world.rail.answers = () => accepted();
    await world.drive(after?.id ?? '');
    expect(world.rail.calls.at(-1)?.order.accountId).toBe(account);
    expect(before.accountId).not.toBe(account);
    // custodial_a and custodial_b show the payment to the old account under this code, and never say anything of the new one.
    expect(world.rail.calls.at(-1)?.order.railKey).not.toBe(before.railKey);
  });
});
