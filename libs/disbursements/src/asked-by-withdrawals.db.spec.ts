/** What withdrawals ask about earlier payouts is brought about by clients and payees, as often as they like: it closes no lane of everybody's money. */
import type { Payout } from '#libs/payout-rules';
import { accepted, type MoneyWorld, refused } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('a rail that is asked too much by withdrawals', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test('is sent the money of other clients all the same', async () => {
    const [one, other] = [await world.client(), await world.client()];
    const scene = await OwedScene.of(world, one, 'DE');
    await scene.push(6_000);
    world.rail.answers = () => refused();
    const [first] = (await scene.withdraw()) as [Payout];
    world.rail.calls.length = 0;
    world.rail.knows.set(first.railKey, { kind: 'not_now', afterSeconds: 60, detail: 'too many look-ups' });
    expect(await scene.outcome()).toBe('nothing_to_withdraw');

    const { id } = await world.pay(other, await world.payee(other, { country: 'DE' }));
    world.rail.answers = () => accepted('two');
    await world.drive(id);
    expect(world.rail.calls).toHaveLength(1);
  });
});
