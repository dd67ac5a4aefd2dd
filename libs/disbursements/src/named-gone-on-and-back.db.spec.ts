/**
 * A rail lists what it refused for now, and cannot be asked: a difference. Then it tells of it: the payout goes on, and the list closes the difference. Its
 * bank sends it back, once: it is `returned`, and owed again. Whoever asks once more hears the same, which is no news ("that it came back once more is named
 * only if it was out since", ADR 120): no operator has to decide anything before its rows leave.
 */
import type { Client } from '#libs/clients';
import { accepted, type MoneyWorld, settled } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('what was named by its list, went on, and came back once', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  test.each([
    ['custodial_a', 'FR', false],
    ['custodial_a', 'FR', true],
    ['claim_rail', 'DE', false],
    ['claim_rail', 'DE', true],
  ])('is owed without a decision (%s, %s, its settlement was told: %s)', async (_, country, isSettledFirst) => {
    world.rail.reset();
    const scene = await OwedScene.of(world, client, country);
    await scene.push(6_000);
    const first = await scene.sentAndRefused('transient');
    await scene.isListed(first, 'late');
    await world.db.execute(`UPDATE rail_movements SET listed_at = listed_at - interval '10 minutes'`);
    await compare(world);
    expect(await scene.openDrift(first)).toHaveLength(1);
    await scene.tells(first, accepted('late') as LookupFact);
    await compare(world);
    expect(await scene.openDrift(first)).toEqual([]);
    if (isSettledFirst) await scene.tells(first, settled('late') as LookupFact);
    for (let times = 0; times < 3; times += 1) await scene.tells(first, { kind: 'bounced', feeCents: 0 });
    expect([await world.status(first.id), await scene.openDrift(first)]).toEqual(['returned', []]);
    await scene.push(1_000);
    expect(await scene.outcome()).toEqual([7_000]);
  });
});
