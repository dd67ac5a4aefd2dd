/**
 * A word that nothing moved (an admin's `neverSeen`, a rail's last word, an operator's `fail` that came late) is overtaken: the rail says that it did move, and
 * lists that it went out and came back, by which the difference closes, and no operator decides. It may move once more since: from then on, as if the word
 * had never been said, the rows stay while the rail cannot be asked or cannot tell (point 2: "if it cannot be asked, they stay `owed` and are not released").
 */
import type { Client } from '#libs/clients';
import { AskRail, GiveUpPayout } from '#libs/payouts';
import { boundTo, type MoneyWorld, refused, settled, timePasses } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import type { LookupFact } from '#libs/rail-kit';
import { movementOf, OwedScene, startOwedWorld } from '../testing/src';

const SILENT: LookupFact = { kind: 'unknown', detail: 'no answer' };

describe('a word of before money was heard of, whose difference its list closed', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  const bind = async (rail: string, account: string): Promise<void> => {
    await boundTo(world, rail, account);
    await world.db.execute(`UPDATE rail_accounts SET rebound_at = rebound_at - interval '1 minute'`);
  };
  /** Its rail keeps codes for an hour. */
  const passes = (id: string, part: number) => timePasses(world, id, part * 3_600);

  describe.each([
    ['custodial_a', 'FR'],
    ['claim_rail', 'DE'],
  ])('%s', (rail, country) => {
    describe.each(['tells of it', 'lists it only'])('its rail %s', (heard) => {
      test.each([
        ['nothing', 'is silent'],
        ['neverSeen', 'is silent'],
        ['nothing', 'is another account'],
        ['neverSeen', 'is another account'],
        ['last word', 'is another account'],
        ['nothing', 'has forgotten it'],
        ['last word', 'has forgotten it'],
        ['given up late', 'has forgotten it'],
      ])('frees no rows (%s was said; the rail %s)', async (said, then) => {
        world.rail.reset();
        await bind(rail, `one ${heard} ${said} ${then}`);
        const scene = await OwedScene.of(world, client, country);
        const row = await scene.push(6_000);
        const first = await scene.sentAndRefused('permanent');
        if (said === 'neverSeen') {
          world.rail.knows.set(first.railKey, SILENT);
          await world.get(GiveUpPayout).run(await world.payout(first.id), 'an admin looked there', true);
        } else await passes(first.id, 0.9);
        if (said === 'last word') await scene.tells(first, refused('permanent') as LookupFact);
        if (said === 'given up late') await world.get(GiveUpPayout).run(await world.payout(first.id), 'looked there');
        // It moved, and is pulled back: its own list says both, and nobody has to decide.
        world.rail.moved = heard === 'tells of it' ? [] : [movementOf(first, 'out', 'late')];
        if (heard === 'tells of it') await scene.tells(first, settled('late') as LookupFact);
        else await compare(world);
        expect(await scene.openDrift(first)).toHaveLength(1);
        world.rail.moved = [movementOf(first, 'out', 'late'), movementOf(first, 'back', 'late')];
        world.rail.knows.set(first.railKey, SILENT);
        await compare(world); // and its rail is asked once whether it is out again
        await compare(world);
        expect(await scene.openDrift(first)).toHaveLength(0);
        world.rail.moved = [];
        // It moves once more, and nobody hears of that.
        world.rail.knows.clear();
        if (then === 'is silent') world.rail.knows.set(first.railKey, SILENT);
        if (then === 'is another account') await bind(rail, `two ${heard} ${said} ${then}`);
        if (then === 'has forgotten it') await passes(first.id, 0.2);
        await world.get(AskRail).lookUp(await world.payout(first.id));
        world.rail.answers = () => settled('once more');
        await scene.push(1_000); // so what leaves has another code than the first
        const left = await scene.outcome();
        expect([left, await scene.statuses(row)]).toEqual([[1_000], ['owed']]);
      });
    });
  });
});
