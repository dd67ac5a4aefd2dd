/**
 * Rows that one account of a provider said its last word about leave with the next account under another code, and that one takes them on. Once the
 * first account is bound again it tells of its own refusal under the first code: that is none of what the other account has (points 1 and 2).
 */
import type { Client } from '#libs/clients';
import { AskRail, CancelPayout } from '#libs/payouts';
import { accepted, boundTo, type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('what another account refused of the rows', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  test.each([
    ['custodial_a', 'FR', 'taken on'],
    ['claim_rail', 'DE', 'taken on'],
    ['custodial_a', 'FR', 'paid, and its answer was lost'],
    ['claim_rail', 'DE', 'paid, and its answer was lost'],
  ])('is no word about what this one has (%s, %s, %s)', async (rail, country, what) => {
    world.rail.reset();
    const bind = async (account: string): Promise<void> => {
      await boundTo(world, rail, account);
      await world.db.execute(`UPDATE rail_accounts SET rebound_at = rebound_at - interval '1 minute'`);
    };
    await bind(`one ${what}`);
    const scene = await OwedScene.of(world, client, country);
    await scene.push(6_000);
    const first = await scene.sentAndRefused();
    await world.age(first.id, 0.9 * 3_600);
    await world.get(AskRail).lookUp(await world.payout(first.id)); // its last word
    expect((await world.payout(first.id)).clearedAt).not.toBeNull();

    // The provider's next account, which never saw it, and takes it on.
    await bind(`two ${what}`);
    world.rail.knows.clear();
    world.rail.answers = () => (what === 'taken on' ? accepted('of two') : { kind: 'unknown', detail: 'no answer' });
    const second = await scene.sent();
    expect(second.status).toBe('submitted');
    expect(second.railKey).not.toBe(first.railKey);

    // The first one is bound again. It knows its own refusal still.
    await bind(`one ${what}`);
    for (const { railKey } of [first, second]) world.rail.knows.set(railKey, refused() as LookupFact);
    world.rail.answers = () => settled('of one');
    await world.age(second.id, 60);
    await world.drive(second.id);
    const after = await world.payout(second.id);
    await world
      .get(CancelPayout)
      .run(after)
      .catch(() => undefined);
    for (const { id, status } of await scene.withdraw().catch(() => []))
      if (status === 'authorized') await world.drive(id);
    expect([after.status, after.statusReason]).toEqual(['held', expect.stringContaining('another account')]);
    expect(world.rail.calls.map(({ order }) => order.railKey)).toEqual([first.railKey, second.railKey]);
  });
});
