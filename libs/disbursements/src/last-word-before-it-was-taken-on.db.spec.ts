/**
 * A rail says its last word, no, and takes the payout on after all. An operator calls the rows owed while it is only taken on. It may move since, and once
 * the rail has forgotten the code nobody can ask: then the rows stay (point 2: "if it cannot be asked, they stay `owed` and are not released"), as they do
 * if it had not said a last word before. The word that it broke itself says nothing of what came after it.
 */
import type { Client } from '#libs/clients';
import { boundTo, type MoneyWorld, accepted, refused, settled, timePasses } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('a last word that its rail broke', () => {
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
  ])('%s', (rail, country) => {
    describe.each(['without a last word before', 'after a last word'])('%s', (before) => {
      test.each(['it has forgotten the code', 'another account is bound'])('rows stay once %s', async (then) => {
        world.rail.reset();
        await boundTo(world, rail, `one ${before} ${then}`);
        const scene = await OwedScene.of(world, client, country);
        const row = await scene.push(6_000);
        const first = await scene.sentAndRefused('permanent');
        await timePasses(world, first.id, 0.9 * 3_600);
        if (before === 'after a last word') await scene.tells(first, refused('permanent') as LookupFact);
        await scene.tells(first, accepted('late') as LookupFact);
        await scene.resolve(first, 'owed');
        // It moves, and nobody hears of that.
        world.rail.knows.clear();
        if (then === 'it has forgotten the code') await timePasses(world, first.id, 0.2 * 3_600);
        else {
          await boundTo(world, rail, `two ${before} ${then}`);
          await world.db.execute(`UPDATE rail_accounts SET rebound_at = rebound_at - interval '1 minute'`);
        }
        world.rail.answers = () => settled('once more');
        await scene.push(1_000);
        const left = await scene.outcome();
        expect([left, await scene.statuses(row)]).toEqual([[1_000], ['owed']]);
      });
    });
  });
});
