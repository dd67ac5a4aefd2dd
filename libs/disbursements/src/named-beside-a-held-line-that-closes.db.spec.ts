/**
 * As `named-beside-a-held-line`, but the first payout was paid since, so the comparison closes its line; whoever heard its rail once more stands still
 * before they commit. The second payout failed for now, and its rail cannot tell: only the comparison names it, and does (1; ADR 72).
 */
import type { Client } from '#libs/clients';
import { holding } from '#libs/db/testing';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import type { LookupFact } from '#libs/rail-kit';
import { movementOf, OwedScene, startOwedWorld } from '../testing/src';

const SILENT = { kind: 'unknown', detail: 'no answer' } as const;

describe('two payouts that failed for now and are listed as moved', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  test.each([false, true])(
    'the second is named (somebody holds the line of the first, which was paid since: %s)',
    async (isHeld) => {
      world.rail.reset();
      const failed = async () => {
        const scene = await OwedScene.of(world, client);
        await scene.push(6_000);
        const payout = await scene.sentAndRefused();
        world.rail.knows.set(payout.railKey, SILENT);
        return [scene, await world.payout(payout.id)] as const;
      };
      const [sceneOfFirst, first] = await failed();
      world.rail.moved = [movementOf(first, 'out', 'late')];
      await compare(world);
      expect(await sceneOfFirst.openDrift(first)).toHaveLength(1);
      await sceneOfFirst.tells(first, settled('late') as LookupFact);
      expect(await world.status(first.id)).toBe('paid');
      expect(await sceneOfFirst.openDrift(first)).toHaveLength(1);
      const [scene, second] = await failed();
      world.rail.moved = [first, second].map((payout) => movementOf(payout, 'out', 'late'));
      const letGo = isHeld
        ? await holding(
            world.db,
            'SELECT FROM payouts JOIN drift ON payout_id = payouts.id WHERE payouts.id = $1 FOR NO KEY UPDATE',
            [first.id],
          )
        : () => Promise.resolve();
      await compare(world).catch(() => undefined); // what is held is waited for at last, and in vain
      const named = (await scene.openDrift(second)).length;
      await letGo();
      expect(named).toBe(1);
    },
  );
});
