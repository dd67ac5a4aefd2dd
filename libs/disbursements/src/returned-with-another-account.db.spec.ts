/**
 * What came back may be out again: its rail is asked before its rows leave once more, and if it cannot be asked they stay owed (point 2). Once
 * its rail is bound to another account of its provider nobody can ask the one that it was sent with, and what the other one never saw is no answer.
 */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { boundTo, type MoneyWorld, settled } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows of money that came back with another account than is bound now', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  test.each([
    ['DE', 'claim_rail'],
    ['FR', 'custodial_a'],
  ])('stay owed, for it may be out again (%s)', async (country, rail) => {
    world.rail.reset();
    await boundTo(world, rail, 'one');
    const scene = await OwedScene.of(world, client, country);
    await scene.push(6_000);
    world.rail.answers = () => settled('one');
    const payout: Payout = await scene.sent();
    await scene.tells(payout, { kind: 'bounced', feeCents: 0 });
    expect(await world.status(payout.id)).toBe('returned');
    // Its account has it out again, which nobody heard of; the rail speaks to another one, which never saw it.
    world.rail.knows.clear();
    await boundTo(world, rail, 'two');
    world.rail.answers = () => settled('two');
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
    expect(world.rail.calls.map(({ order }) => order.railKey)).toEqual([payout.railKey]);
  });
});
