/**
 * As `named-beside-a-held-payout`, but whoever holds the first payout heard its rail, as most that change one do, and holds its open difference as well (a process that stood still before
 * its commit). That is no reason either not to name the second one: what somebody holds is waited for last (point 1).
 */
import type { Client } from '#libs/clients';
import { holding } from '#libs/db/testing';
import { settled } from '#libs/payouts/testing';
import type { MoneyWorld } from '#libs/payouts/testing';
import { refused } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import type { LookupFact } from '#libs/rail-kit';
import { movementOf, OwedScene, startOwedWorld } from '../testing/src';

describe('two payouts that failed and are listed as moved', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  test('the second is named while somebody holds the first and its line', async () => {
    const failed = async () => {
      const scene = await OwedScene.of(world, client);
      await scene.push(6_000);
      const payout = await scene.sentAndRefused('permanent');
      await scene.tells(payout, refused('permanent') as LookupFact);
      return [scene, await world.payout(payout.id)] as const;
    };
    const [sceneOfFirst, first] = await failed();
    const [scene, second] = await failed();
    await sceneOfFirst.tells(first, settled() as LookupFact);
    expect(await sceneOfFirst.openDrift(first)).toHaveLength(1);
    await compare(world);
    world.rail.moved = [first, second].map((payout) => movementOf(payout, 'out', 'late'));
    const letGo = await holding(
      world.db,
      'SELECT FROM payouts JOIN drift ON payout_id = payouts.id WHERE payouts.id = $1 FOR NO KEY UPDATE',
      [first.id],
    );
    const comparison = compare(world);
    comparison.catch(() => undefined); // it is waited for below
    while ((await scene.openDrift(second)).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await letGo();
    await comparison;
  });
});
