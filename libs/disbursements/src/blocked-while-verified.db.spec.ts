/**
 * A call is taken on, and waits for its rail's credentials to be verified anew (each ten minutes, a question to the provider that may take seconds).
 * Whoever is blocked, closed or suspended meanwhile is not paid by it: the call has not begun.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '#libs/clients';
import { BlockPayee } from '#libs/payees';
import { accepted, type MoneyWorld } from '#libs/payouts/testing';
import { RailIdentity } from '#libs/rail-registry';
import { OwedScene, startOwedWorld } from '../testing/src';

/** Its provider takes its time. */
const SLOW_MS = 1_200;

describe('a payee who is blocked while the credentials of their rail are verified', () => {
  let world: MoneyWorld;
  let client: Client;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.verify = undefined;
    // Verified more than ten minutes ago.
    (world.get(RailIdentity) as unknown as { known: Map<string, unknown> }).known.clear();
    world.rail.calls.length = 0;
    world.rail.answers = () => accepted();
    scene = await OwedScene.of(world, client, 'DE');
  });
  const verifiedOnce = (): (() => boolean) => {
    let isBlocked = false;
    world.rail.verify = async () => {
      // Taken on by now.
      const [{ count } = { count: 0 }] = await world.db.rows<{ count: number }>(
        `SELECT count(*)::int AS count FROM payouts WHERE payee_id = $1 AND status = 'submitted'`,
        [scene.payee.id],
      );
      if (count > 0) {
        await pause(SLOW_MS);
        await world.get(BlockPayee).run(scene.payee.id, true, 'sanctions');
        isBlocked = true;
      }
      return { kind: 'works', account: 'one', mode: 'live' };
    };
    return () => isBlocked;
  };

  test('is not paid by the request that withdraws for them', async () => {
    await scene.push(6_000);
    const isBlocked = verifiedOnce();
    await scene.withdraw();
    expect({ isBlocked: isBlocked(), calls: world.rail.calls.length }).toEqual({ isBlocked: true, calls: 0 });
  });

  test('nor by a job', async () => {
    const { id } = await world.pay(client, scene.payee);
    const isBlocked = verifiedOnce();
    await world.drive(id);
    expect({ isBlocked: isBlocked(), calls: world.rail.calls.length }).toEqual({ isBlocked: true, calls: 0 });
  });
});
