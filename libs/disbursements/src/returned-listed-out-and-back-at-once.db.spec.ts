/**
 * Money came back; its rail's list has in one comparison that it went out once more, and came back again. What came back and was out again once waits beside a
 * rail that cannot tell now, and beside one that has forgotten it (ADR 120; point 2): also if both were listed at the same time, so that no
 * difference was ever written. Where one was written an operator decided about it, once that had moved, and what is forgotten then leaves.
 */
import type { Client } from '#libs/clients';
import { systemClock } from '#libs/domain';
import { type MoneyWorld, settled, timePasses } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('what came back, and is listed as out and back once more', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  describe.each([
    ['custodial_a', 'FR'],
    ['claim_rail', 'DE'],
  ])('%s', (rail, country) => {
    test.each([
      ['is silent', 'one after the other'],
      ['is silent', 'at once'],
      ['has forgotten it', 'at once'],
    ])('stays while its rail %s (listed %s)', async (then, when) => {
      world.rail.reset();
      const scene = await OwedScene.of(world, client, country);
      await scene.push(6_000);
      world.rail.answers = () => settled('one');
      const first = await scene.sent();
      await scene.tells(first, { kind: 'bounced', feeCents: 0 });
      const line = (providerRef: string, direction: 'out' | 'back') => ({
        ...{ rail, railKey: first.railKey, amountCents: 6_000, currency: 'USD', movedAt: systemClock.now() },
        ...{ providerRef, direction },
      });
      const before = [line('one', 'out'), line('one', 'back')];
      world.rail.moved = before;
      await compare(world);
      if (when === 'one after the other') {
        world.rail.moved = [...before, line('two', 'out')];
        await compare(world);
      }
      world.rail.moved = [...before, line('two', 'out'), line('two', 'back')];
      await compare(world);
      if ((await scene.openDrift(first)).length > 0) await scene.resolve(first, 'owed');
      expect(await scene.openDrift(first)).toEqual([]);
      world.rail.moved = [];
      // It goes out for a third time, and nobody hears of that.
      world.rail.knows.clear();
      if (then === 'is silent') world.rail.knows.set(first.railKey, { kind: 'unknown', detail: 'no answer' });
      await timePasses(world, first.id, 11 * 86_400);
      await scene.push(1_000);
      world.rail.answers = () => settled('once more');
      expect(await scene.outcome()).toEqual([1_000]);
    });
  });
});
