/** The same rows wait on a second payout under the same code, past the memory of the rail that settled the first. */
import { RemedyPayout } from '#libs/payouts';
import { accepted, type MoneyWorld, refused } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('the same rows, on their next payout under the same code', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test('are not sent under a code that the rail may have forgotten', async () => {
    const scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
    const before = await scene.refusedWithdrawal();
    world.rail.knows.set(before.railKey, refused());
    const [after] = await scene.withdraw();
    expect(after?.railKey).toBe(before.railKey);
    const id = after?.id ?? '';
    await world.db.execute('UPDATE payees SET blocked = true WHERE id = $1', [scene.payee.id]);
    await world.drive(id);
    expect(await world.status(id)).toBe('held');
    // Two days: the rail took on what it had refused, paid it, and has forgotten the code.
    await world.age(before.id, 2 * 86_400);
    await world.age(id, 2 * 86_400);
    world.rail.knows.delete(before.railKey);
    await world.db.execute('UPDATE payees SET blocked = false WHERE id = $1', [scene.payee.id]);
    const asked = world.rail.asked.length;
    await world
      .get(RemedyPayout)
      .release(await world.payout(id), 'client')
      .catch(() => undefined);
    world.rail.answers = () => accepted('second');
    if ((await world.status(id)) === 'authorized') await world.drive(id);
    expect({ sends: world.rail.calls.length, asked: world.rail.asked.length > asked }).toEqual({
      sends: 1,
      asked: true,
    });
  });

  test('keep the code that they were sent under, whatever it was made of', async () => {
    const scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
    const before = await scene.refusedWithdrawal();
    // As an earlier version of the service made it.
    const railKey = `old-${before.railKey}`;
    await world.db.execute('UPDATE payouts SET rail_key = $2 WHERE id = $1', [before.id, railKey]);
    world.rail.knows.set(railKey, refused());
    const [after] = await scene.withdraw();
    expect(after?.railKey).toBe(railKey);
  });
});
