/**
 * Money came back, its rail's list has it out once more, and its rail is silent for good. An operator calls the rows owed: while nobody can tell, they stay
 * (ADR 120). An admin who finds out that it is not out again can free them, and only as long as the list says nothing new: nobody is forgotten.
 */
import type { Client } from '#libs/clients';
import { GiveUpPayout } from '#libs/payouts';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { movementOf, OwedScene, startOwedWorld } from '../testing/src';

describe('what came back, and is listed as out once more by a rail that is silent for good', () => {
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
  ])('%s', (_, country) => {
    test.each([
      ['stays, whatever an operator decided', [], [1_000]],
      ['leaves once an admin found out that it is not out', ['never seen'], [7_000]],
      ['stays if it is listed as out after that', ['never seen', 'listed'], [1_000]],
    ])('%s', async (_name, then, leaves) => {
      world.rail.reset();
      const scene = await OwedScene.of(world, client, country);
      await scene.push(6_000);
      world.rail.answers = () => settled('one');
      const first = await scene.sent();
      await scene.tells(first, { kind: 'bounced', feeCents: 0 });
      world.rail.knows.set(first.railKey, { kind: 'unknown', detail: 'no answer' });
      const isListed = async (ref: string): Promise<void> => {
        world.rail.moved = [...world.rail.moved, movementOf(first, 'out', ref)];
        await compare(world);
        if ((await scene.openDrift(first)).length > 0) await scene.resolve(first, 'owed');
        expect(await scene.openDrift(first)).toEqual([]);
      };
      world.rail.moved = [movementOf(first, 'out', 'one'), movementOf(first, 'back', 'one')];
      await isListed('two');
      if (then.includes('never seen'))
        await world.get(GiveUpPayout).run(await world.payout(first.id), 'an admin looked there', true);
      if (then.includes('listed')) await isListed('three');
      world.rail.moved = [];
      await scene.push(1_000);
      world.rail.answers = () => settled('once more');
      expect(await scene.outcome()).toEqual(leaves);
    });
  });
});
