/**
 * Money came back, and its rail took it on once more: a difference, and an operator calls its rows owed; the rail refuses it after that. It may move all the
 * same, and its rail forgets the code, or is silent for long: "if an operator decided about one that came back, it was out since, and a rail that cannot tell
 * now keeps its rows" (ADR 120; point 2), also if the rail said otherwise after the decision: an early no of what failed frees nothing then (ADR 125).
 */
import type { Client } from '#libs/clients';
import { GiveUpPayout } from '#libs/payouts';
import { type MoneyWorld, accepted, boundTo, refused, settled, timePasses } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('what came back, was taken on again, was called owed, and refused after that', () => {
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
    test.each([
      ['is silent', false],
      ['has forgotten the code', false],
      ['is silent', true],
      ['has forgotten the code', true],
    ])(
      'keeps its rows while its rail %s (it refused it since: %s), until an admin says `neverSeen`',
      async (then, isRefused) => {
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
        if (isRefused) await scene.tells(first, refused() as LookupFact);
        expect(await scene.openDrift(first)).toEqual([]);
        // It moves, and nobody hears of that.
        world.rail.knows.clear();
        if (then === 'is silent') world.rail.knows.set(first.railKey, { kind: 'unknown', detail: 'no answer' });
        await passes(first.id, then === 'is silent' ? 11 * 24 : 1.1);
        await scene.push(1_000);
        world.rail.answers = () => settled('once more');
        expect(await scene.outcome()).toEqual([1_000]);
        await expect(world.get(GiveUpPayout).run(await world.payout(first.id), 'nobody knows')).rejects.toThrow();
        await world.get(GiveUpPayout).run(await world.payout(first.id), 'an admin looked there', true);
        expect([await world.status(first.id), await scene.outcome()]).toEqual(['returned', [6_000]]);
      },
    );
  });
});
