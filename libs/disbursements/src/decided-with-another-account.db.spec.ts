/**
 * An operator decided that rows are owed: their account at the provider had said no. Then the rail is bound to another account, which never saw the
 * payout and cannot tell whether the first one has paid it since. It cannot be asked, so the rows stay owed (point 2; ADR 68: until an admin says
 * `neverSeen`; ADR 120: they wait while the rail cannot be asked), as they do beside a rail that is silent. Nor is that account's "never seen" an
 * answer by which an operator frees rows of money that the first account has out (ADR 119: silence refuses what lets rows leave).
 */
import type { Client } from '#libs/clients';
import { DriftReads } from '#libs/drift';
import { AskRail } from '#libs/payouts';
import { accepted, boundTo, type MoneyWorld, refused, settled, timePasses } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { ResolveDrift } from '#libs/reconciliation';
import { OwedScene, startOwedWorld } from '../testing/src';

const UNKNOWN: LookupFact = { kind: 'unknown', detail: 'no answer' };

describe('an operator’s decision, and another account of the provider', () => {
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
    test.each(['is silent', 'is another one'])(
      'rows that were called owed stay owed while the account %s',
      async (what) => {
        world.rail.reset();
        await bind(rail, `one ${what}`);
        const scene = await OwedScene.of(world, client, country);
        const row = await scene.push(6_000);
        const first = await scene.sentAndRefused('permanent');
        await scene.tells(first, settled('late') as LookupFact); // a difference
        await scene.tells(first, refused('permanent') as LookupFact);
        await scene.resolve(first, 'owed');
        // The first account pays it after all, and nobody hears of that: it is silent, or another one is bound.
        if (what === 'is another one') await bind(rail, 'two');
        if (what === 'is another one') world.rail.knows.clear();
        else world.rail.knows.set(first.railKey, UNKNOWN);
        world.rail.answers = () => settled('of two');
        const left = await scene.outcome();
        for (const { id } of await world.db.rows<{ id: string }>(
          `SELECT id FROM payouts WHERE payee_id = $1 AND status = 'authorized'`,
          [scene.payee.id],
        ))
          await world.drive(id);
        const sent = world.rail.calls.map(({ order }) => order.railKey);
        expect([left, await scene.statuses(row), sent]).toEqual(['nothing_to_withdraw', ['owed'], [first.railKey]]);
      },
    );

    test('money that is out is not called owed by another account, whatever the one before had said last until then', async () => {
      world.rail.reset();
      await bind(rail, 'one, with its last word');
      const scene = await OwedScene.of(world, client, country);
      await scene.push(6_000);
      const first = await scene.sentAndRefused('permanent');
      await timePasses(world, first.id, 0.9 * 3_600);
      await scene.tells(first, refused('permanent') as LookupFact);
      await scene.tells(first, accepted('late') as LookupFact);
      const [open] = await scene.openDrift(first);
      await bind(rail, 'two, after a last word');
      world.rail.knows.clear();
      const asked = world.get(ResolveDrift).ask(open?.id ?? '', 'owed');
      await expect(asked).rejects.toMatchObject({ code: 'illegal_transition' });
    });

    test("a caller's own payout has no rows that could leave: it is closed though its rail is silent", async () => {
      world.rail.reset();
      const { payee } = await OwedScene.of(world, client, country);
      const { id } = await world.pay(client, payee, 6_000);
      world.rail.answers = () => refused('permanent');
      await world.drive(id);
      const { railKey } = await world.payout(id);
      world.rail.knows.set(railKey, settled('late') as LookupFact);
      await world.get(AskRail).lookUp(await world.payout(id));
      const open = (await world.get(DriftReads).list({ open: true }, null, 100)).find(
        ({ payoutId }) => payoutId === id,
      );
      world.rail.knows.set(railKey, UNKNOWN);
      await expect(world.get(ResolveDrift).ask(open?.id ?? '', 'owed')).resolves.toMatchObject({ said: 'out' });
    });

    test.each(['is silent', 'is another one'])(
      'money that is out is not called owed while the account %s',
      async (what) => {
        world.rail.reset();
        await bind(rail, `one, ${what}`);
        const scene = await OwedScene.of(world, client, country);
        await scene.push(6_000);
        const first = await scene.sentAndRefused('permanent');
        await scene.tells(first, settled('late') as LookupFact);
        const [open] = await scene.openDrift(first);
        if (what === 'is another one') await bind(rail, 'two');
        if (what === 'is another one') world.rail.knows.clear();
        else world.rail.knows.set(first.railKey, UNKNOWN);
        await expect(world.get(ResolveDrift).ask(open?.id ?? '', 'owed')).rejects.toMatchObject({
          code: 'illegal_transition',
        });
        expect((await world.get(DriftReads).list({ open: true }, null, 100)).some(({ id }) => id === open?.id)).toBe(
          true,
        );
      },
    );
  });
});
