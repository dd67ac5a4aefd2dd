/**
 * A rail's list says that paid money came back, and names it before the rail confirms it: a difference about a payout that is `paid`. The rail confirms, the
 * payout is `returned`, and before the next comparison its rail has it out once more: the same line keeps that. An operator calls the rows owed. "What came
 * back and was out again once waits beside a rail that cannot tell now or has forgotten it, whatever became of that difference" (ADR 120; point 2), on
 * whichever line it was written.
 */
import type { Client } from '#libs/clients';
import { systemClock } from '#libs/domain';
import { accepted, type MoneyWorld, refused, settled, timePasses } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('what came back and was out again, on a line of before it came back', () => {
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
      ['is silent', false],
      ['has forgotten it', false],
      ['is silent', true],
      ['has forgotten it', true],
    ])('keeps its rows while its rail %s (refused since: %s)', async (then, isRefused) => {
      world.rail.reset();
      const scene = await OwedScene.of(world, client, country);
      await scene.push(6_000);
      world.rail.answers = () => settled('one');
      const first = await scene.sent();
      const line = { rail, railKey: first.railKey, providerRef: 'one', amountCents: 6_000, currency: 'USD' };
      const movedAt = systemClock.now();
      world.rail.moved = [
        { ...line, movedAt, direction: 'out' },
        { ...line, movedAt, direction: 'back' },
      ];
      world.rail.knows.set(first.railKey, settled('one') as LookupFact);
      await compare(world);
      await world.db.execute(`UPDATE rail_movements SET listed_at = listed_at - interval '10 minutes'`);
      await compare(world);
      expect(await scene.openDrift(first)).toHaveLength(1);
      await scene.tells(first, { kind: 'bounced', feeCents: 0 });
      expect(await world.status(first.id)).toBe('returned');
      await scene.tells(first, accepted('again') as LookupFact);
      const open = await scene.openDrift(first);
      expect(open).toHaveLength(1);
      await scene.resolve(first, 'owed');
      if (isRefused) await scene.tells(first, refused() as LookupFact);
      // It moves, and nobody hears of that.
      world.rail.moved = [];
      world.rail.knows.clear();
      if (then === 'is silent') world.rail.knows.set(first.railKey, { kind: 'unknown', detail: 'no answer' });
      await timePasses(world, first.id, 11 * 86_400);
      await scene.push(1_000);
      world.rail.answers = () => settled('once more');
      expect(await scene.outcome()).toEqual([1_000]);
    });
  });
});
