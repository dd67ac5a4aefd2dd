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

  test('that was refused, leave with the next one by calls under other keys: their rail would repeat its answers to those of before', async () => {
    await scene.push(6_000);
    const [first] = await scene.withdraw();
    world.rail.says({ first: thenDo('payout'), payout: refused() });
    for (let times = 0; times < 2; times += 1) await world.drive(first?.id ?? '');
    const before = await world.payout(first?.id ?? '');
    expect(before).toMatchObject({ status: 'failed', failureKind: 'transient', legs: [{ name: 'payout', sends: 1 }] });
    world.rail.knows.set(before.railKey, refused());
    const [second] = await scene.withdraw();
    const id = second?.id ?? '';
    expect(second?.railKey).toBe(before.railKey);
    world.rail.says({ first: thenDo('payout'), payout: settled() });
    for (let times = 0; times < 2; times += 1) await world.drive(id);
    const after = await world.payout(id);
    expect(after.status).toBe('paid');
    expect(after.legs.at(-1)).toMatchObject({ name: 'payout', round: 1 });
    expect(after.legs.at(-1)?.key).not.toBe(before.legs.at(-1)?.key);
  });
});
