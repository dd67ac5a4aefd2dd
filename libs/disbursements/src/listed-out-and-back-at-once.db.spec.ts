/**
 * A word that nothing moved (an admin's `neverSeen`, a rail's last word, a `fail` that came late) is overtaken by its rail's list, which has in one comparison
 * that it went out and came back: no difference is ever written. "What was said before money was heard of, by its list too, frees no rows ... Nor does it if the
 * list closes the difference: it may move once more" (ADR 120; point 2), also if both movements were listed at the same time.
 */
import type { Client } from '#libs/clients';
import { GiveUpPayout } from '#libs/payouts';
import { type MoneyWorld, refused, settled, timePasses } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import type { LookupFact } from '#libs/rail-kit';
import { movementOf, OwedScene, startOwedWorld } from '../testing/src';

const SILENT: LookupFact = { kind: 'unknown', detail: 'no answer' };

describe('a word of before money was listed as out and back', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  /** Its rail keeps codes for an hour. */
  const passes = (id: string, part: number) => timePasses(world, id, part * 3_600);

  describe.each([
    ['custodial_a', 'FR'],
    ['claim_rail', 'DE'],
  ])('%s', (_, country) => {
    describe.each(['one after the other', 'at once'])('listed %s', (when) => {
      test.each([
        ['neverSeen', 'is silent'],
        ['last word', 'has forgotten it'],
        ['given up late', 'has forgotten it'],
      ])('frees no rows (%s was said; the rail %s)', async (said, then) => {
        world.rail.reset();
        const scene = await OwedScene.of(world, client, country);
        const row = await scene.push(6_000);
        const first = await scene.sentAndRefused('permanent');
        if (said === 'neverSeen') {
          world.rail.knows.set(first.railKey, SILENT);
          await world.get(GiveUpPayout).run(await world.payout(first.id), 'an admin looked there', true);
        } else await passes(first.id, 0.9);
        if (said === 'last word') await scene.tells(first, refused('permanent') as LookupFact);
        if (said === 'given up late') await world.get(GiveUpPayout).run(await world.payout(first.id), 'looked there');
        if (when === 'one after the other') {
          world.rail.moved = [movementOf(first, 'out', 'late')];
          await compare(world);
        }
        world.rail.moved = [movementOf(first, 'out', 'late'), movementOf(first, 'back', 'late')];
        await compare(world);
        expect(await scene.openDrift(first)).toHaveLength(0);
        world.rail.moved = [];
        // It moves once more, and nobody hears of that.
        world.rail.knows.clear();
        if (then === 'is silent') world.rail.knows.set(first.railKey, SILENT);
        if (then === 'has forgotten it') await passes(first.id, 0.2);
        world.rail.answers = () => settled('once more');
        await scene.push(1_000); // so what leaves has another code than the first
        const left = await scene.outcome();
        expect([left, await scene.statuses(row)]).toEqual([[1_000], ['owed']]);
      });
    });
  });
});
