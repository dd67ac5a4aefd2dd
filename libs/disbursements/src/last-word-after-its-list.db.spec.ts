/**
 * A rail's last word is that it refused it; its list has it out and back after that, which closes the difference; and at the last look of all its rail refuses it
 * still. That is a last word of after the money was heard of: "what it answers counts" (point 2), also once it has forgotten the code.
 */
import type { Client } from '#libs/clients';
import { type MoneyWorld, refused, settled, timePasses } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import type { LookupFact } from '#libs/rail-kit';
import { movementOf, OwedScene, startOwedWorld } from '../testing/src';

describe('a last word of after its list had the money out and back', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  /** Its rail keeps codes for an hour. */
  const passes = (id: string, part: number) => timePasses(world, id, part * 3_600);

  test.each([
    ['custodial_a', 'FR', 'for the first time'],
    ['custodial_a', 'FR', 'once more'],
    ['claim_rail', 'DE', 'for the first time'],
    ['claim_rail', 'DE', 'once more'],
  ])('frees its rows (%s, %s): said %s', async (_, country, often) => {
    world.rail.reset();
    const scene = await OwedScene.of(world, client, country);
    const row = await scene.push(6_000);
    const first = await scene.sentAndRefused('permanent');
    await passes(first.id, 0.86);
    if (often === 'once more') await scene.tells(first, refused('permanent') as LookupFact);
    world.rail.moved = [movementOf(first, 'out', 'late')];
    await compare(world);
    world.rail.moved = [movementOf(first, 'out', 'late'), movementOf(first, 'back', 'late')];
    await compare(world);
    expect(await scene.openDrift(first)).toEqual([]);
    world.rail.moved = [];
    await passes(first.id, 0.09);
    await scene.tells(first, refused('permanent') as LookupFact);
    world.rail.knows.clear();
    await passes(first.id, 0.1);
    world.rail.answers = () => settled('in the end');
    await scene.push(1_000);
    await scene.sent();
    expect(await scene.statuses(row)).toEqual(['paid']);
  });
});
