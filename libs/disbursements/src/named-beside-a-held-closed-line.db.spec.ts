/**
 * As `named-beside-a-held-line`, but an operator decided about the first payout, so its line is closed; whoever heard its rail since stands still before
 * they commit. What somebody holds is waited for last: the second one is named (1; ADR 72).
 */
import type { Client } from '#libs/clients';
import { holding } from '#libs/db/testing';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { compare } from '#libs/reconciliation/testing';
import { movementOf, OwedScene, startOwedWorld } from '../testing/src';

describe('two payouts that failed and are listed as moved', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  test('the second is named while somebody holds the first and its closed line', async () => {
    const failed = async () => {
      const scene = await OwedScene.of(world, client);
      await scene.push(6_000);
      const payout = await scene.sentAndRefused('permanent');
      return [scene, await world.payout(payout.id)] as const;
    };
    const [sceneOfFirst, first] = await failed();
    const [scene, second] = await failed();
    await sceneOfFirst.tells(first, settled() as LookupFact);
    await sceneOfFirst.resolve(first, 'paid');
    await scene.tells(second, refused('permanent') as LookupFact);
    await compare(world);
    world.rail.moved = [first, second].map((payout) => movementOf(payout, 'out', 'late'));
    const letGo = await holding(
      world.db,
      'SELECT FROM payouts JOIN drift ON payout_id = payouts.id WHERE payouts.id = $1 FOR NO KEY UPDATE',
      [first.id],
    );
    await compare(world).catch(() => undefined); // what is held is waited for at last, and in vain
    const named = (await scene.openDrift(second)).length;
    await letGo();
    expect(named).toBe(1);
  });
});
