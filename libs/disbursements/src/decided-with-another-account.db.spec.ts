/**
 * An operator decided that rows are owed: their account at the provider had said no. Then the rail is bound to another account, which never saw the
 * payout and cannot tell whether the first one has paid it since. It cannot be asked, so the rows stay owed (point 2; ADR 68: until an admin says
 * `neverSeen`; ADR 120: they wait while the rail cannot be asked), as they do beside a rail that is silent. Nor is that account's "never seen" an
 * answer by which an operator frees rows of money that the first account has out (ADR 119: silence refuses what lets rows leave).
 */
import type { Client } from '#libs/clients';
import { DriftReads } from '#libs/drift';
import { boundTo, type MoneyWorld, refused, settled } from '#libs/payouts/testing';
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
