/** Rows on their next payout under the same code, which was never sent: it goes on once their rail says no again. */
import { RemedyPayout } from '#libs/payouts';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows that waited past the memory of their rail, under the code that it refused', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test('are sent once they are released, where the rail says no again', async () => {
    const scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
    const before = await scene.refusedWithdrawal();
    world.rail.knows.set(before.railKey, refused());
    const [after] = await scene.withdraw();
    if (!after) throw new Error('Nothing left.');
    expect(after.railKey).toBe(before.railKey);
    await world.db.execute('UPDATE payees SET blocked = true WHERE id = $1', [scene.payee.id]);
    await world.drive(after.id);
    expect(await world.status(after.id)).toBe('held');
    await world.age(before.id, 2 * 86_400);
    await world.age(after.id, 2 * 86_400);
    await world.db.execute('UPDATE payees SET blocked = false WHERE id = $1', [scene.payee.id]);
    world.rail.answers = () => settled('second');
    await world.get(RemedyPayout).release(await world.payout(after.id), 'client');
    await world.drive(after.id);
    expect(await world.payout(after.id)).toMatchObject({ status: 'paid' });
  });
});
