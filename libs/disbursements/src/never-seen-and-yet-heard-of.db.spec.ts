/**
 * An admin says `neverSeen` of a payout while its rail is silent. Then the rail speaks: it has it, which is a difference, and a little later that it refused
 * it, by which an operator calls the rows owed. What the admin found out is overtaken: from now on, as for rows that were called owed, they stay while
 * the rail cannot be asked, be it silent or bound to another account (point 2: "if it cannot be asked, they stay `owed` and are not released").
 */
import type { Client } from '#libs/clients';
import { GiveUpPayout } from '#libs/payouts';
import { boundTo, type MoneyWorld, refused, settled, accepted } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

const SILENT: LookupFact = { kind: 'unknown', detail: 'no answer' };

describe('an admin’s `neverSeen` that its rail contradicted', () => {
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

  describe.each([
    ['custodial_a', 'FR'],
    ['claim_rail', 'DE'],
  ])('%s', (rail, country) => {
    describe.each([
      ['it was said so', true],
      ['it was given up', false],
    ])('%s', (_, neverSeen) => {
      test.each(['is silent', 'is another account'])('frees no rows while the rail %s', async (what) => {
        world.rail.reset();
        await bind(rail, `one ${what} ${neverSeen}`);
        const scene = await OwedScene.of(world, client, country);
        const row = await scene.push(6_000);
        const first = await scene.sentAndRefused('permanent');
        world.rail.knows.set(first.railKey, SILENT);
        await world.get(GiveUpPayout).run(await world.payout(first.id), 'an admin looked there', neverSeen);
        await scene.tells(first, accepted('late') as LookupFact);
        await scene.tells(first, refused('permanent') as LookupFact);
        await scene.resolve(first, 'owed');
        // Its account pays it after all, and nobody hears of that.
        if (what === 'is silent') world.rail.knows.set(first.railKey, SILENT);
        else {
          await bind(rail, `two ${what} ${neverSeen}`);
          world.rail.knows.clear();
        }
        world.rail.answers = () => settled('once more');
        await scene.push(1_000); // so what leaves has another code than the first, which that one would know
        const left = await scene.outcome();
        for (const { id } of await world.db.rows<{ id: string }>(
          `SELECT id FROM payouts WHERE payee_id = $1 AND status = 'authorized'`,
          [scene.payee.id],
        ))
          await world.drive(id);
        const sent = world.rail.calls.filter(({ order }) => order.railKey !== first.railKey);
        expect([left, await scene.statuses(row), sent.map(({ order }) => order.amountCents)]).toEqual([
          [1_000],
          ['owed'],
          [1_000],
        ]);
      });
    });

    test.each([
      ['it was said so', true],
      ['it was given up', false],
    ])('frees no rows either that had left by it once, and came back: %s', async (_, neverSeen) => {
      world.rail.reset();
      const scene = await OwedScene.of(world, client, country);
      const row = await scene.push(6_000);
      const first = await scene.sentAndRefused('permanent');
      await world.get(GiveUpPayout).run(await world.payout(first.id), 'an admin looked there', neverSeen);
      await scene.push(500);
      const second = await scene.sentAndRefused('permanent');
      expect(second.amountCents).toBe(6_500);
      expect((await world.payout(first.id)).supersededBy).toBe(second.id);
      await scene.tells(first, accepted('late') as LookupFact);
      await scene.tells(first, refused('permanent') as LookupFact);
      await scene.resolve(first, 'owed');
      world.rail.knows.set(first.railKey, SILENT);
      world.rail.answers = () => settled('once more');
      await scene.push(1_000);
      expect([await scene.outcome(), await scene.statuses(row)]).toEqual([[1_500], ['owed']]);
    });
  });
});
