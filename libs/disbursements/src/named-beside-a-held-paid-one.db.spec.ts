/**
 * As `named-beside-a-held-payout`, but what somebody holds is a payout that was refused, tried again, and paid, and that its rail lists twice: that is a difference, which takes back what its
 * rail had once said (the trigger of migration 90 asks for no status), and so waits for whoever holds it. One payout keeps nothing else from being named (point 1: "becomes drift that names it
 * within the minute").
 */
import type { Client } from '#libs/clients';
import { holding } from '#libs/db/testing';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import type { LookupFact } from '#libs/rail-kit';
import { movementOf, OwedScene, startOwedWorld } from '../testing/src';

describe('a payout that failed and is listed as moved', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  test.each([false, true])(
    'is named while somebody holds a paid one (that was refused before: %s)',
    async (wasRefused) => {
      world.rail.reset();
      const twice = await OwedScene.of(world, client);
      await twice.push(6_000);
      const first = wasRefused ? await twice.sentAndRefused() : null;
      if (first) await twice.tells(first, refused('transient') as LookupFact);
      world.rail.answers = () => settled('one');
      const paid = first ?? (await twice.sent());
      await twice.tells(paid, settled('one') as LookupFact);
      expect(await world.status(paid.id)).toBe('paid');
      world.rail.moved = [movementOf(paid, 'out', 'one')];
      await compare(world);

      const scene = await OwedScene.of(world, client);
      await scene.push(6_000);
      const payout = await scene.sentAndRefused('permanent');
      await scene.tells(payout, refused('permanent') as LookupFact);
      world.rail.moved = [
        movementOf(paid, 'out', 'one'),
        movementOf(paid, 'out', 'two'),
        movementOf(payout, 'out', 'late'),
      ];
      const letGo = await holding(world.db, 'SELECT FROM payouts WHERE id = $1 FOR NO KEY UPDATE', [paid.id]);
      const failure = await compare(world).catch((error: Error) => error.message);
      const named = (await scene.openDrift(payout)).length;
      await letGo();
      expect([named, failure]).toEqual([1, failure]);
    },
  );
});
