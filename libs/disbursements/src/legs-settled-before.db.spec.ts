/**
 * Rows left in legs, were refused, and leave again under the code of before. Until a job comes to it their rail moved the money of the first
 * payout after all, and says so when it is asked: that has to be named, for no question but this one is put about it any more.
 */
import type { Payout } from '#libs/payout-rules';
import { accepted, type MoneyWorld, refused, settled, thenDo } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows that leave again after calls that followed the first one, and whose rail paid the first payout after all', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());
  afterEach(() => jest.restoreAllMocks());

  test.each([
    ['in legs', { first: thenDo('payout'), payout: refused() }, 2],
    ['at once', { first: refused() }, 1],
  ])('are held, and the difference is named (refused %s)', async (_, answers, turns) => {
    const scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
    world.rail.says(answers);
    const [{ id }] = (await scene.withdraw()) as [Payout];
    for (let turn = 0; turn < turns; turn += 1) await world.drive(id);
    const first = await world.payout(id);
    expect(first).toMatchObject({ status: 'failed', failureKind: 'transient' });
    world.rail.knows.set(first.railKey, refused());
    const [again] = (await scene.withdraw()) as [Payout];
    expect(again).toMatchObject({ status: 'authorized', railKey: first.railKey });

    world.rail.knows.set(first.railKey, settled());
    world.rail.calls.length = 0;
    world.rail.answers = () => accepted('again');
    for (let turn = 0; turn < 3; turn += 1)
      if ((await world.status(again.id)) === 'authorized') await world.drive(again.id);
    expect(world.rail.calls).toHaveLength(0);
    expect(await scene.openDrift(first)).toHaveLength(1);
    expect(await world.status(again.id)).toBe('held');
  });

  test('are held also if that is said only to the question about the payout that they are on now', async () => {
    const scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
    world.rail.says({ first: thenDo('payout'), payout: refused() });
    const [{ id }] = (await scene.withdraw()) as [Payout];
    for (let turn = 0; turn < 2; turn += 1) await world.drive(id);
    const first = await world.payout(id);
    world.rail.knows.set(first.railKey, refused());
    const [again] = (await scene.withdraw()) as [Payout];
    jest.spyOn(world.rail, 'lookup').mockImplementation(async ({ payoutId }) => {
      return payoutId === again.id ? settled() : refused();
    });
    world.rail.calls.length = 0;
    await world.drive(again.id);
    expect(world.rail.calls).toHaveLength(0);
    expect(await scene.openDrift(first)).toMatchObject([{ kind: 'not_paid_here', hasMoved: true }]);
    expect(await world.status(again.id)).toBe('held');
  });
});
