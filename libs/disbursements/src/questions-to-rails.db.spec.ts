/** What rails are asked before owed rows leave again, and what may change meanwhile. */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, refused } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('questions to rails before rows leave', () => {
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

  test.each([
    ['turns withdrawals off', { withdraw_policy: { enabled: false } }, 'withdrawals_disabled'],
    ['lowers the most that may go', { withdraw_policy: { maxCents: 5_000 } }, 'above_maximum_withdrawal'],
  ])('go nowhere when an operator %s meanwhile', async (_, change, code) => {
    await scene.push(6_000);
    const { railKey } = await scene.refusedWithdrawal();
    world.rail.knows.set(railKey, refused());
    let answer: () => void = () => undefined;
    world.rail.lookupGate = new Promise((resolve) => (answer = resolve));
    const asking = scene.withdraw();
    await world.rail.lookingUp(railKey);
    await world.db.execute('UPDATE clients SET withdraw_policy = $2 WHERE id = $1', [
      client.id,
      change.withdraw_policy,
    ]);
    answer();
    await expect(asking).rejects.toMatchObject({ code });
    await world.db.execute(`UPDATE clients SET withdraw_policy = '{}' WHERE id = $1`, [client.id]);
  });

  test('that failed for good again and again are about each of them, and keep the rows if one cannot be told', async () => {
    const first = await scene.push(6_000);
    for (let nth = 0; nth < 3; nth += 1) {
      const { railKey } = await scene.refusedWithdrawal('permanent');
      world.rail.knows.set(railKey, refused('permanent'));
    }
    const [oldest = '', ...later] = world.rail.calls.map(({ order }) => order.railKey);
    world.rail.knows.set(oldest, { kind: 'unknown', detail: 'too long ago' });
    await expect(scene.withdraw()).rejects.toMatchObject({ code: 'nothing_to_withdraw' });
    expect(await scene.statuses(first)).toEqual(['owed']);
    world.rail.knows.set(oldest, refused('permanent'));
    world.rail.asked.length = 0;
    expect((await scene.withdraw()).map(({ amountCents }) => amountCents)).toEqual([6_000]);
    expect(world.rail.asked.map(({ railKey }) => railKey).sort()).toEqual([oldest, ...later].sort());
    expect(await scene.statuses(first)).toEqual(['released']);
  });

  test('are about the youngest last right before the send: what was refused of late may move while others are asked about', async () => {
    await scene.push(6_000);
    for (let nth = 0; nth < 10; nth += 1) {
      const { railKey } = await scene.refusedWithdrawal('permanent');
      world.rail.knows.set(railKey, refused('permanent'));
    }
    const codes = world.rail.calls.map(({ order }) => order.railKey);
    const [next] = (await scene.withdraw()) as [Payout];
    world.rail.asked.length = 0;
    await world.drive(next.id);
    expect(world.rail.asked.map(({ railKey }) => railKey).slice(-2)).toEqual(codes.slice(-2));
  });
});
