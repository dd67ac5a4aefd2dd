/**
 * An admin says `neverSeen`, after all that was heard of the money: its rows leave beside a rail that cannot tell. Before they do, the rail only repeats what it
 * had said: that it refused it, or that it came back. That is no money that was heard of since, so it must not take the admin's word back (ADR 120: "`neverSeen`
 * goes as money is heard of"; point 2).
 */
import type { Client } from '#libs/clients';
import { GiveUpPayout } from '#libs/payouts';
import { accepted, type MoneyWorld, refused, settled, timePasses } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

const CAME_BACK: LookupFact = { kind: 'bounced', feeCents: 0 };

describe('an admin’s `neverSeen`, and a rail that repeats since that nothing is out', () => {
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
  ])('%s', (_, country) => {
    describe.each(['is silent', 'has forgotten it'])('its rail %s', (then) => {
      test.each([
        ['failed', false],
        ['failed', true],
        ['returned', false],
        ['returned', true],
      ])('frees its rows (%s; repeated: %s)', async (status, isRepeated) => {
        world.rail.reset();
        const scene = await OwedScene.of(world, client, country);
        await scene.push(6_000);
        if (status === 'returned') world.rail.answers = () => settled('one');
        const first = status === 'failed' ? await scene.sentAndRefused('permanent') : await scene.sent();
        const nothing = status === 'failed' ? (refused('permanent') as LookupFact) : CAME_BACK;
        await scene.tells(first, nothing);
        await scene.tells(first, accepted('again') as LookupFact);
        await scene.tells(first, nothing);
        while ((await scene.openDrift(first)).length > 0) await scene.resolve(first, 'owed');
        await timePasses(world, first.id, 60);
        await world.get(GiveUpPayout).run(await world.payout(first.id), 'an admin looked there', true);
        await timePasses(world, first.id, 60);
        if (isRepeated) await scene.tells(first, nothing);
        expect([await world.status(first.id), await scene.openDrift(first)]).toEqual([status, []]);
        world.rail.knows.clear();
        if (then === 'is silent') world.rail.knows.set(first.railKey, { kind: 'unknown', detail: 'no answer' });
        else await timePasses(world, first.id, 2 * 3_600);
        await scene.push(1_000);
        world.rail.answers = () => settled('in the end');
        expect(await scene.outcome()).toEqual([7_000]);
      });
    });
  });
});
