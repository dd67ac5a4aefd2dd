/**
 * A rail says that the money moved, and an operator calls the rows owed; then it takes the payout on once more, under another reference, without having refused
 * it in between: an operator calls the rows owed again. "What an operator called owed while its rail had only taken it on waits in the same way once that
 * has forgotten it: it may have moved in between" (ADR 125; point 2): both decisions stand, and the younger one was about what had not moved yet.
 */
import type { Client } from '#libs/clients';
import { type MoneyWorld, accepted, refused, settled, timePasses } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('what was decided about while it was only taken on, beside a decision about money that had moved', () => {
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
  ])('%s', (_, country) => {
    test.each([
      ['it had only been taken on before, too', [accepted('first')]],
      ['it had moved before', [settled('first')]],
    ])('keeps its rows once its rail has forgotten it: %s', async (_, before) => {
      world.rail.reset();
      const scene = await OwedScene.of(world, client, country);
      const row = await scene.push(6_000);
      const first = await scene.sentAndRefused('permanent');
      for (const fact of before) {
        await scene.tells(first, fact as LookupFact);
        await scene.resolve(first, 'owed');
      }
      await scene.tells(first, accepted('second') as LookupFact);
      await scene.resolve(first, 'owed');
      // It moves, and nobody hears of that; then the rail forgets it.
      world.rail.knows.clear();
      await passes(first.id, 1.1);
      world.rail.answers = () => settled('once more');
      await scene.push(1_000);
      const left = await scene.outcome();
      expect([left, await scene.statuses(row)]).toEqual([[1_000], ['owed']]);
    });

    /** It moved, its rail took that back, and took it on anew: both lines are open, and an operator closes one after the other. */
    test.each([
      ['under another reference, which is a line of its own', 'second'],
      ['under the same reference, which is the same line', 'first'],
    ])('keeps them, too, if it was decided about at once: %s', async (_, again) => {
      world.rail.reset();
      const scene = await OwedScene.of(world, client, country);
      const row = await scene.push(6_000);
      const first = await scene.sentAndRefused('permanent');
      for (const fact of [settled('first'), refused('permanent'), accepted(again)])
        await scene.tells(first, fact as LookupFact);
      while ((await scene.openDrift(first)).length > 0) await scene.resolve(first, 'owed');
      world.rail.knows.clear();
      await passes(first.id, 1.1);
      world.rail.answers = () => settled('once more');
      await scene.push(1_000);
      const left = await scene.outcome();
      expect([left, await scene.statuses(row)]).toEqual([[1_000], ['owed']]);
    });
  });
});
