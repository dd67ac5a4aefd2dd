/**
 * A rail said its last word (no) about a payout that failed for good, and says after that that it is out: a difference. Then it forgets the code, or another
 * account is bound: "never seen" takes back nothing that was heard, and is not told to an operator as the rail's no.
 */
import type { Client } from '#libs/clients';
import { AskRail } from '#libs/payouts';
import { boundTo, type MoneyWorld, settled, timePasses } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('money that was heard of after its rail’s last word', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  test.each([
    ['custodial_a', 'FR', 'forgotten'],
    ['claim_rail', 'DE', 'forgotten'],
    ['custodial_a', 'FR', 'another account'],
  ])('stays its last word (%s, %s, %s)', async (rail, country, what) => {
    world.rail.reset();
    await boundTo(world, rail, `one ${what}`);
    await world.db.execute(`UPDATE rail_accounts SET rebound_at = rebound_at - interval '1 minute'`);
    const scene = await OwedScene.of(world, client, country);
    await scene.push(6_000);
    const first = await scene.sentAndRefused('permanent');
    const passes = (seconds: number) => timePasses(world, first.id, seconds);
    await passes(0.9 * 3_600);
    await world.get(AskRail).lookUp(await world.payout(first.id)); // its last word
    await scene.tells(first, settled('late') as LookupFact);
    expect(await scene.openDrift(first)).toMatchObject([{ said: 'out' }]);
    if (what === 'forgotten') await passes(3_600);
    else await boundTo(world, rail, 'two');
    world.rail.knows.clear();
    await world.get(AskRail).lookUp(await world.payout(first.id));
    expect(await scene.openDrift(first)).toMatchObject([{ said: 'out' }]);
  });
});
