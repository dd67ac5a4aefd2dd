/**
 * A rail refused rows for now, and an operator failed their payout. The rows go to the same place again: the rail refused nothing for good, and may pay
 * the first order yet, so they have the code of then.
 */
import { CancelPayout, GiveUpPayout, RemedyPayout } from '#libs/payouts';
import type { Payout } from '#libs/payout-rules';
import type { MoneyWorld } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows that go back to the place where they were refused for now', () => {
  let world: MoneyWorld;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    scene = await OwedScene.of(world, await world.client({ coolDownSeconds: 0 }));
    await scene.push(6_000);
  });
  const blocked = (is: boolean) =>
    world.db.execute('UPDATE payees SET blocked = $2 WHERE id = $1', [scene.payee.id, is]);

  test('by an operator, who failed the payout: they have the code of then', async () => {
    const first = await scene.sentAndRefused();
    await world.get(GiveUpPayout).run(await world.payout(first.id), 'by hand');
    const [again] = (await scene.withdraw()) as [Payout];
    expect(again.railKey).toBe(first.railKey);
  });

  test('by their caller, who cancelled it while it was held to be tried again: they have the code of then', async () => {
    const first = await scene.sentAndRefused();
    await blocked(true);
    await world.get(RemedyPayout).retry(await world.payout(first.id), 'client');
    await world.get(CancelPayout).run(await world.payout(first.id));
    expect(await world.payout(first.id)).toMatchObject({ status: 'failed' });
    await blocked(false);
    const [again] = (await scene.withdraw()) as [Payout];
    expect(again.railKey).toBe(first.railKey);
  });

  test('by their caller, who cancelled the next one, which never left: they have the code of then', async () => {
    const first = await scene.sentAndRefused();
    await blocked(true);
    const [held] = (await scene.withdraw()) as [Payout];
    expect(held).toMatchObject({ status: 'held', railKey: first.railKey });
    await world.get(CancelPayout).run(held);
    await blocked(false);
    const [again] = (await scene.withdraw()) as [Payout];
    expect(again.railKey).toBe(first.railKey);
  });

  test('by an operator, who failed the next one, which never left: they have the code of then', async () => {
    const first = await scene.sentAndRefused();
    await blocked(true);
    const [held] = (await scene.withdraw()) as [Payout];
    await world.get(GiveUpPayout).run(held, 'by hand');
    await blocked(false);
    const [again] = (await scene.withdraw()) as [Payout];
    expect(again.railKey).toBe(first.railKey);
  });
});
