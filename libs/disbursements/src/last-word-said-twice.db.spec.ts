/**
 * A rail that refused takes it on after all: a difference, and an operator calls the rows owed. It refuses it after that, and says so at both of its last
 * looks (0.85 and 0.95 of the time for which it keeps a code). That is its last word, of after the money was heard of: "what it answers counts" (point 2),
 * also once it has forgotten the code. That it said it twice must not make the first time a word of before.
 */
import type { Client } from '#libs/clients';
import { accepted, boundTo, type MoneyWorld, refused, settled, timePasses } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('a last word of after money was heard of', () => {
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
    describe.each(['has forgotten it', 'is another account'])('its rail %s', (then) => {
      test.each([
        ['once', [0.87]],
        ['twice', [0.87, 0.08]],
      ])('frees its rows: said %s', async (often, parts) => {
        world.rail.reset();
        const bind = async (account: string): Promise<void> => {
          await boundTo(world, rail, account);
          await world.db.execute(`UPDATE rail_accounts SET rebound_at = rebound_at - interval '1 minute'`);
        };
        await bind(`one ${often} ${then}`);
        const scene = await OwedScene.of(world, client, country);
        const row = await scene.push(6_000);
        const first = await scene.sentAndRefused('permanent');
        await scene.tells(first, accepted('late') as LookupFact);
        await scene.resolve(first, 'owed');
        for (const part of parts) {
          await passes(first.id, part);
          await scene.tells(first, refused('permanent') as LookupFact);
        }
        expect(await scene.openDrift(first)).toEqual([]);
        await passes(first.id, 0.3);
        world.rail.knows.clear();
        if (then === 'is another account') await bind(`two ${often} ${then}`);
        world.rail.answers = () => settled('in the end');
        await scene.push(1_000);
        await scene.sent();
        expect(await scene.statuses(row)).toEqual(['paid']);
      });
    });
  });
});
