/**
 * A rail says that the money moved, and an operator calls the rows owed; it takes the payout on once more, under another reference, which is a difference of
 * its own, and an operator calls the rows owed again. "What an operator called owed while its rail had only taken it on waits in the same way once that has
 * forgotten it: it may have moved in between" (ADR 125; point 2), also while the decision about what had moved stands beside it.
 */
import type { Client } from '#libs/clients';
import { accepted, boundTo, type MoneyWorld, settled, timePasses } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('what was decided about as moved, and taken on under another reference', () => {
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
    test.each([
      ['nothing was decided before', []],
      ['it had only been taken on before, too', [accepted('first')]],
      ['it had moved before', [settled('first')]],
    ])('keeps its rows once its rail has forgotten it: %s', async (_, before) => {
      world.rail.reset();
      await boundTo(world, rail, 'one');
      const scene = await OwedScene.of(world, client, country);
      const row = await scene.push(6_000);
      const first = await scene.sentAndRefused('permanent');
      for (const fact of before) {
        await scene.tells(first, fact as LookupFact);
        await scene.resolve(first, 'owed');
      }
      await scene.tells(first, accepted('second') as LookupFact);
      expect(await scene.openDrift(first)).toHaveLength(1);
      await scene.resolve(first, 'owed');
      // It moves, and nobody hears of that; then the rail forgets it.
      world.rail.knows.clear();
      await timePasses(world, first.id, 1.1 * 3_600);
      world.rail.answers = () => settled('once more');
      await scene.push(1_000);
      const left = await scene.outcome();
      expect([left, await scene.statuses(row)]).toEqual([[1_000], ['owed']]);
    });
  });
});
