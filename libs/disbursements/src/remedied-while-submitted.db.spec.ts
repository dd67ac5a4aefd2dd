/**
 * Whoever tries a payout again, or releases it, may have read it as submitted: it comes to rest while its rail is asked. What stands in
 * the way of what came to rest before stands in its way too.
 */
import type { Payout } from '#libs/payout-rules';
import { RemedyPayout } from '#libs/payouts';
import { accepted, type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('a payout that was read as submitted, and came to rest while its rail was asked', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  test('is not tried again once its rail paid what some of its rows were on before', async () => {
    const scene = await OwedScene.of(world, await world.client(), 'DE');
    await scene.push(6_000);
    world.rail.answers = () => refused();
    const [first] = (await scene.withdraw()) as [Payout];
    expect(await world.status(first.id)).toBe('failed');
    world.rail.knows.set(first.railKey, refused());
    await scene.push(5_000);
    world.rail.answers = () => accepted();
    const [second] = (await scene.withdraw()) as [Payout];
    expect(await world.payout(second.id)).toMatchObject({ status: 'submitted', amountCents: 11_000 });
    // It moves the first one after all, and tells nobody; the second one it cannot bring to its end.
    world.rail.knows.set(first.railKey, settled('first'));
    world.rail.knows.set(second.railKey, refused());
    world.rail.calls.length = 0;
    await world
      .get(RemedyPayout)
      .retry(await world.payout(second.id), 'client')
      .catch(() => undefined);
    expect(world.rail.calls.map(({ order }) => order.amountCents)).toEqual([]);
  });
});
