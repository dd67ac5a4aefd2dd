/**
 * A rail lists money as out while its payout is under way, and refuses it then: nobody is told before the next comparison. An admin says `neverSeen` in that minute, although the list
 * has it out. By the next comparison it is back: no difference is ever written. The admin's word was said while the money was out, so it is no word about what
 * came back since: "what was said before money was heard of, by its list too, frees no rows" (ADR 120; point 2: if it cannot be asked, they stay owed).
 * Said once it was back, it is a word about all of it.
 */
import type { Client } from '#libs/clients';
import { systemClock } from '#libs/domain';
import { GiveUpPayout } from '#libs/payouts';
import { accepted, type MoneyWorld, refused, settled, timePasses } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('an admin’s `neverSeen` of what its list has out', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  describe.each(['is silent', 'has forgotten it'])('its rail %s', (then) => {
    test.each([
      ['before it was back', [1_000]],
      ['once it was back', [7_000]],
    ])('said %s', async (when, leaves) => {
      world.rail.reset();
      const scene = await OwedScene.of(world, client);
      await scene.push(6_000);
      world.rail.answers = () => accepted('one');
      const first = await scene.sent();
      const one = {
        rail: 'custodial_a',
        railKey: first.railKey,
        amountCents: 6_000,
        currency: 'USD',
        providerRef: 'one',
      };
      const line = (direction: 'out' | 'back') => ({ ...one, direction, movedAt: systemClock.now() });
      world.rail.moved = [line('out')];
      await compare(world);
      await scene.tells(first, refused('permanent') as LookupFact);
      expect([await world.status(first.id), await scene.openDrift(first)]).toEqual(['failed', []]);
      await timePasses(world, first.id, 10);
      const word = async () => world.get(GiveUpPayout).run(await world.payout(first.id), 'an admin looked', true);
      if (when === 'before it was back') {
        await word();
        expect(await scene.openDrift(first)).toHaveLength(1);
      }
      await timePasses(world, first.id, 10);
      world.rail.moved = [line('out'), line('back')];
      await compare(world);
      await timePasses(world, first.id, 10);
      if (when === 'once it was back') await word();
      expect(await scene.openDrift(first)).toEqual([]);
      world.rail.moved = [];
      // It moves once more, and nobody hears of that.
      world.rail.knows.clear();
      if (then === 'is silent') world.rail.knows.set(first.railKey, { kind: 'unknown', detail: 'no answer' });
      else await timePasses(world, first.id, 2 * 3_600);
      await scene.push(1_000);
      world.rail.answers = () => settled('once more');
      expect(await scene.outcome()).toEqual(leaves);
    });
  });
});
