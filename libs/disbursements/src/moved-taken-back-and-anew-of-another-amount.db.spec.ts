/**
 * What a rail had moved, took back and says anew "has moved only if it says so anew" (ADR 120), also if it says it anew of another amount, which is a line of its
 * own: an operator calls the rows owed while it is only taken on. It moves, nobody hears of that, and the rail forgets the code: it cannot tell, and the rows
 * stay (point 2).
 */
import type { Client } from '#libs/clients';
import { accepted, type MoneyWorld, refused, settled, timePasses } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('what had moved, was taken back, and is taken on anew', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  test.each([
    ['custodial_a', 'FR', 'the same amount'],
    ['custodial_a', 'FR', 'another amount'],
    ['claim_rail', 'DE', 'the same amount'],
    ['claim_rail', 'DE', 'another amount'],
  ])('stays (%s, %s, of %s)', async (_, country, amount) => {
    world.rail.reset();
    const scene = await OwedScene.of(world, client, country);
    const row = await scene.push(6_000);
    world.rail.answers = () => accepted('R');
    const sent = await scene.sent();
    await scene.tells(sent, refused('permanent') as LookupFact);
    const first = await world.payout(sent.id);
    expect(first.status).toBe('failed');
    await scene.tells(first, settled('R') as LookupFact);
    await scene.tells(first, refused('permanent') as LookupFact);
    const anew: LookupFact =
      amount === 'the same amount'
        ? (accepted('R') as LookupFact)
        : { kind: 'unknown', detail: 'of 59.00', spokeOf: { amountCents: 5_900, currency: 'USD', moved: false } };
    await scene.tells(first, anew);
    for (let left = 5; left > 0 && (await scene.openDrift(first)).length > 0; left -= 1)
      await scene.resolve(first, 'owed');
    expect(await scene.openDrift(first)).toEqual([]);
    // It moves, and nobody hears of that.
    world.rail.knows.clear();
    await timePasses(world, first.id, 2 * 3_600);
    world.rail.answers = () => settled('once more');
    await scene.push(1_000);
    const left = await scene.outcome();
    expect([left, await scene.statuses(row)]).toEqual([[1_000], ['owed']]);
  });
});
