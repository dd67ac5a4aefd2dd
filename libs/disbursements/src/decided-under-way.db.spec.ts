/** An operator decided about money that a rail had only taken on: should it move after all, that is another matter. */
import type { Client } from '#libs/clients';
import { type MoneyWorld, settled, accepted } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('what an operator decided while a rail had only taken the money on', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  test('does not let the rows leave once the money moved', async () => {
    const scene = await OwedScene.of(world, client);
    await scene.push(6_000);
    const first = await scene.refusedWithdrawal('permanent');
    await scene.tells(first, accepted('one'));
    await scene.resolve(first, 'owed');
    const [second] = await scene.withdraw();
    if (!second) throw new Error('Nothing left.');
    world.rail.knows.set(first.railKey, settled('one'));
    world.rail.answers = () => settled('two');
    const sent = world.rail.calls.length;
    await world.drive(second.id);
    expect(world.rail.calls.length).toBe(sent);
  });
});
