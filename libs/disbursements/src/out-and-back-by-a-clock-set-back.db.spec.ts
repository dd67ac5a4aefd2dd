/**
 * As `returned-listed-out-and-back-at-once`: what came back and was out again once waits beside a rail that has forgotten it. The clock of the database was an hour ahead as it was
 * sent, and is right since: that it went out once more is listed at an earlier time then than it was sent. It is none of a call before.
 */
import type { Client } from '#libs/clients';
import { systemClock } from '#libs/domain';
import { type MoneyWorld, settled, timePasses } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('what came back, and is listed as out and back once more by a clock that was set back', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  test.each(['0 s', '1 hour'])('stays while its rail has forgotten it (set back by %s)', async (by) => {
    world.rail.reset();
    const rail = 'custodial_a';
    const scene = await OwedScene.of(world, client, 'FR');
    await scene.push(6_000);
    world.rail.answers = () => settled('one');
    const first = await scene.sent();
    await scene.tells(first, { kind: 'bounced', feeCents: 0 });
    await world.db.inTransaction(async () => {
      await world.db.execute('SET LOCAL session_replication_role = replica');
      await world.db.execute('UPDATE payout_trail SET created_at = created_at + $2::interval WHERE payout_id = $1', [
        first.id,
        by,
      ]);
    });
    const line = (providerRef: string, direction: 'out' | 'back') => ({
      ...{ rail, railKey: first.railKey, amountCents: 6_000, currency: 'USD', movedAt: systemClock.now() },
      ...{ providerRef, direction },
    });
    const before = [line('one', 'out'), line('one', 'back')];
    world.rail.moved = before;
    await compare(world);
    world.rail.moved = [...before, line('two', 'out'), line('two', 'back')];
    await compare(world);
    expect(await scene.openDrift(first)).toEqual([]);
    world.rail.moved = [];
    // It goes out for a third time, and nobody hears of that.
    world.rail.knows.clear();
    await timePasses(world, first.id, 11 * 86_400);
    await scene.push(1_000);
    world.rail.answers = () => settled('once more');
    expect(await scene.outcome()).toEqual([1_000]);
  });
});
