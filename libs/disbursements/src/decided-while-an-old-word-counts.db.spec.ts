/**
 * A word that nothing moved (a rail's last word, an admin's `neverSeen`, a `fail` that came late) and money that was heard of after it: a difference. The rail
 * cannot tell any more. While it is asked for a withdrawal an operator calls the rows owed: from then on the word of before frees no rows (ADR 120), also for
 * whoever asked before that was decided (ADR 119: "Whether a rail that has forgotten can tell goes by what is decided when the rows are taken"). Point 2.
 */
import type { Client } from '#libs/clients';
import { GiveUpPayout } from '#libs/payouts';
import { accepted, type MoneyWorld, refused, settled, timePasses } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

const SILENT: LookupFact = { kind: 'unknown', detail: 'no answer' };

describe('a word of before money was heard of, and a decision while its rail is asked', () => {
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
    describe.each(['nothing', 'last word', 'given up late', 'neverSeen'])('%s was said', (said) => {
      test.each(['before it is asked', 'while it is asked'])('frees no rows: decided %s', async (when) => {
        world.rail.reset();
        const scene = await OwedScene.of(world, client, country);
        const row = await scene.push(6_000);
        const first = await scene.sentAndRefused('permanent');
        if (said === 'neverSeen') {
          world.rail.knows.set(first.railKey, SILENT);
          await world.get(GiveUpPayout).run(await world.payout(first.id), 'an admin looked there', true);
        } else await passes(first.id, 0.9);
        if (said === 'last word') await scene.tells(first, refused('permanent') as LookupFact);
        if (said === 'given up late') await world.get(GiveUpPayout).run(await world.payout(first.id), 'looked there');
        await scene.tells(first, accepted('late') as LookupFact);
        if (when === 'before it is asked') await scene.resolve(first, 'owed');
        // It moves, and nobody hears of that; then the rail cannot tell.
        if (said === 'neverSeen') world.rail.knows.set(first.railKey, SILENT);
        else {
          world.rail.knows.clear();
          await passes(first.id, 0.2);
        }
        world.rail.answers = () => settled('once more');
        await scene.push(1_000);
        let answers = (): void => undefined;
        world.rail.lookupGate = new Promise((resolve) => (answers = resolve));
        world.rail.asked.length = 0;
        const leaving = scene.outcome();
        await world.rail.lookingUp(first.railKey);
        if (when === 'while it is asked') await scene.resolve(first, 'owed');
        answers();
        const left = await leaving;
        expect([left, await scene.statuses(row)]).toEqual([[1_000], ['owed']]);
      });
    });
  });
});
