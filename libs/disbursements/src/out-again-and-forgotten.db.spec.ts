/**
 * Money came back, and its rail took it on once more: a difference, and an operator calls its rows owed. It may have moved since, and its rail has forgotten
 * the code, so it cannot tell: "if an operator decided about one that came back, it was out since, and a rail that cannot tell now keeps its rows"
 * (ADR 120; ADR 125 says the same of what failed; point 2), as it does while that rail is silent.
 */
import type { Client } from '#libs/clients';
import { type MoneyWorld, accepted, boundTo, settled, timePasses } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('what came back, was taken on again, and was called owed', () => {
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
  ])('%s', (rail, country) => {
    test.each(['is silent', 'has forgotten the code'])('keeps its rows while its rail %s', async (then) => {
      world.rail.reset();
      await boundTo(world, rail, 'one');
      const scene = await OwedScene.of(world, client, country);
      await scene.push(6_000);
      world.rail.answers = () => settled('one');
      const first = await scene.sent();
      await scene.tells(first, { kind: 'bounced', feeCents: 0 });
      await scene.tells(first, accepted('again') as LookupFact);
      expect(await scene.openDrift(first)).toHaveLength(1);
      await scene.resolve(first, 'owed');
      // It moves, and nobody hears of that.
      world.rail.knows.clear();
      if (then === 'is silent') world.rail.knows.set(first.railKey, { kind: 'unknown', detail: 'no answer' });
      await passes(first.id, 1.1);
      await scene.push(1_000);
      world.rail.answers = () => settled('once more');
      expect(await scene.outcome()).toEqual([1_000]);
    });
  });
});
