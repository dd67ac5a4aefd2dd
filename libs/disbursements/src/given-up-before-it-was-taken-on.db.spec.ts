/**
 * An operator gives a payout up as late as a last word; after that its rail takes it on, which is a difference, and an operator calls its rows owed. "What an
 * operator called owed while its rail had only taken it on waits once that has forgotten it: it may have moved in between" (ADR 125; point 2). That holds
 * if it was given up early, and has to hold if it was given up late: that was before the rail took it on, and says nothing of what came after.
 */
import type { Client } from '#libs/clients';
import { GiveUpPayout } from '#libs/payouts';
import { type MoneyWorld, accepted, settled, timePasses } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('what was given up before its rail took it on', () => {
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
    ['custodial_a', 'FR', 'early'],
    ['custodial_a', 'FR', 'late'],
    ['claim_rail', 'DE', 'early'],
    ['claim_rail', 'DE', 'late'],
  ])('keeps its rows once that has forgotten it (%s, %s, given up %s)', async (_, country, when) => {
    world.rail.reset();
    const scene = await OwedScene.of(world, client, country);
    const row = await scene.push(6_000);
    const first = await scene.sentAndRefused('transient');
    await passes(first.id, when === 'late' ? 0.85 : 0.1);
    await world.get(GiveUpPayout).run(await world.payout(first.id), 'nothing there');
    await passes(first.id, when === 'late' ? 0.05 : 0.8);
    await scene.tells(first, accepted('late') as LookupFact);
    await scene.resolve(first, 'owed');
    // It moves, and nobody hears of that; then the rail forgets it.
    world.rail.knows.clear();
    await passes(first.id, 0.2);
    world.rail.answers = () => settled('once more');
    await scene.push(1_000);
    const left = await scene.outcome();
    expect([left, await scene.statuses(row)]).toEqual([[1_000], ['owed']]);
  });
});
