/**
 * As `named-beside-a-held-payout`, but the second payout failed for now, and its rail paid it after all: its list has news, and the rail is asked. Somebody holds the first one for
 * longer than anybody waits for a lock (a process that stood still before its commit, for which the database waits 15 s, and a lock is waited for 10 s). One payout keeps no
 * other's news from being heard: the second "goes on from where it was sent" in that comparison (point 1; "no failed payout whose money moved stays unnoticed for a minute").
 */
import type { Client } from '#libs/clients';
import { holding } from '#libs/db/testing';
import type { MoneyWorld } from '#libs/payouts/testing';
import { refused, settled } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import type { LookupFact } from '#libs/rail-kit';
import { movementOf, OwedScene, startOwedWorld } from '../testing/src';

describe('a payout that failed for now, and is listed as moved', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  test('is asked about although somebody holds another one that is listed', async () => {
    const failed = async (failure: 'permanent' | 'transient') => {
      const scene = await OwedScene.of(world, client);
      await scene.push(6_000);
      const payout = await scene.sentAndRefused(failure);
      await scene.tells(payout, refused(failure) as LookupFact);
      return world.payout(payout.id);
    };
    const first = await failed('permanent');
    const second = await failed('transient');
    await compare(world);
    world.rail.moved = [first, second].map((payout) => movementOf(payout, 'out', 'late'));
    world.rail.knows.set(second.railKey, settled('late') as LookupFact);
    const letGo = await holding(world.db, 'SELECT FROM payouts WHERE id = $1 FOR NO KEY UPDATE', [first.id]);
    const failure = await compare(world).catch((error: Error) => error.message);
    const status = await world.status(second.id);
    await letGo();
    expect([status, failure]).toEqual(['paid', failure]);
  });
});
