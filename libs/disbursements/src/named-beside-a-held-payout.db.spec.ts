/**
 * Money of two payouts that failed is on their rail's list: point 1, it "becomes drift that names it within the minute". Somebody holds the first of them
 * for long (a process that stood still in a transaction, which PostgreSQL ends after 15 s; a large withdrawal). That is no reason not to name the
 * second one, nor what else that rail moved: what somebody holds is waited for last.
 */
import type { Client } from '#libs/clients';
import { holding } from '#libs/db/testing';
import type { Payout } from '#libs/payout-rules';
import type { MoneyWorld } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { movementOf, OwedScene, startOwedWorld } from '../testing/src';

describe('two payouts that failed and are listed as moved', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  const scannedUntil = () =>
    world.db.row<{ at: Date }>(`SELECT scanned_until AS at FROM rail_scans WHERE rail = 'custodial_a'`);

  const isWaitedFor = async (): Promise<boolean> =>
    (await world.db.row(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' LIMIT 1`,
    )) !== null;

  test('the second is named while somebody holds the first', async () => {
    const failed = async (): Promise<[OwedScene, Payout]> => {
      const scene = await OwedScene.of(world, client);
      return [scene, await scene.clearedWithdrawal(6_000)];
    };
    const [sceneOfFirst, first] = await failed();
    const [scene, second] = await failed();
    expect([first.clearedAt, second.clearedAt]).toEqual([expect.any(Date), expect.any(Date)]);
    await compare(world);
    world.rail.moved = [first, second].map((payout) => movementOf(payout, 'out', 'late'));
    const before = await scannedUntil();
    const letGo = await holding(world.db, 'SELECT FROM payouts WHERE id = $1 FOR NO KEY UPDATE', [first.id]);
    const comparison = compare(world);
    comparison.catch(() => undefined); // it is waited for below
    while ((await scene.openDrift(second)).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await sceneOfFirst.openDrift(first)).toHaveLength(0);
    while (!(await isWaitedFor())) await new Promise((resolve) => setTimeout(resolve, 10));
    const until = await scannedUntil(); // now that all else is written down
    await letGo();
    await comparison;
    expect(until).toEqual(before); // its portion was not over
    expect(await sceneOfFirst.openDrift(first)).toHaveLength(1);
    expect((await world.payout(first.id)).clearedAt).toBeNull();
  });
});
