/** Rows whose payout takes more than one call, on their next payout under the same code: what was said of the first asks for nothing. */
import type { Client } from '#libs/clients';
import { type MoneyWorld, refused, settled, thenDo } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows whose payout is in legs', () => {
  let world: MoneyWorld;
  let client: Client;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    scene = await OwedScene.of(world, client);
  });

  test('and were paid by the next one, are paid no more when a worker wakes with what the first was answered', async () => {
    await scene.push(6_000);
    const [first] = await scene.withdraw();
    const asleep = world.drive(first?.id ?? '');
    const late = await world.rail.call(1);
    await world.age(first?.id ?? '', 60);
    if (first) await scene.tells(first, refused());
    const [second] = await scene.withdraw();
    const id = second?.id ?? '';
    expect(second?.railKey).toBe(first?.railKey);
    world.rail.says({ first: thenDo('payout'), payout: settled() });
    await world.drive(id);
    await world.drive(id);
    late.answer(thenDo('payout'));
    await asleep;
    expect(await world.payout(id)).toMatchObject({ status: 'paid', legs: [{ name: 'payout', over: true }] });
    expect(world.rail.callsOf(id)).toEqual(['first', 'payout']);
  });
});
