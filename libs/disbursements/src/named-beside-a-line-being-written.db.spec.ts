/**
 * As `named-beside-a-held-line`, but whoever heard the rail of the first payout is just writing its difference down, and stands still before they commit.
 * Nobody sees that line yet, and whoever writes the same one waits for it: that is done last, and the second payout is named (1; ADR 72).
 */
import { newId } from '#libs/domain';
import type { Client } from '#libs/clients';
import { holding } from '#libs/db/testing';
import type { MoneyWorld } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { movementOf, OwedScene, startOwedWorld } from '../testing/src';

describe('two payouts that failed for good and are listed as moved', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  test('the second is named while somebody writes down the first', async () => {
    const failed = async () => {
      const scene = await OwedScene.of(world, client);
      await scene.push(6_000);
      return [scene, await scene.sentAndRefused('permanent')] as const;
    };
    const [, first] = await failed();
    const [scene, second] = await failed();
    await compare(world);
    world.rail.moved = [first, second].map((payout) => movementOf(payout, 'out', 'late'));
    const letGo = await holding(
      world.db,
      `WITH held AS (SELECT * FROM payouts WHERE id = $1 FOR NO KEY UPDATE)
       INSERT INTO drift (id, rail, rail_key, kind, payout_id, provider_ref, rail_cents, rail_currency, our_cents, our_currency, our_status, has_moved, said, said_at)
       SELECT $2, provider, rail_key, 'not_paid_here', id, 'late', amount_cents, currency, amount_cents, currency, status, true, 'out', now() FROM held`,
      [first.id, newId()],
    );
    await compare(world).catch(() => undefined); // what is held may be waited for at last, and in vain
    const named = await scene.openDrift(second);
    await letGo();
    expect(named).toHaveLength(1);
  });
});
