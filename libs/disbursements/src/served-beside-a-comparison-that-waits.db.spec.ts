/**
 * A process stands still (SIGSTOP of 8 s) while it holds a payout of one client that its rail lists, and a comparison waits for that one, after all else is
 * written down. What another client has at rest is not kept by that: a caller who withdraws is served meanwhile (8; ADR 45).
 */
import { happening } from '#libs/db/testing';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { movementOf, OwedScene, startOwedWorld } from '../testing/src';

const WAITING = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

describe('a payout that somebody holds, and that is listed', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  const waiting = async (): Promise<number> => (await world.db.row<{ count: number }>(WAITING))?.count ?? 0;
  const until = async (isSo: () => Promise<boolean> | boolean): Promise<void> => {
    while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
  };

  test('does not keep another client, who withdraws', async () => {
    world.rail.reset();
    const [other, scene] = [
      await OwedScene.of(world, await world.client()),
      await OwedScene.of(world, await world.client()),
    ];
    const failed: Awaited<ReturnType<OwedScene['sentAndRefused']>>[] = [];
    for (const one of [other, scene]) {
      await one.push(6_000);
      failed.push(await one.sentAndRefused('permanent'));
    }
    const [theirs, held] = failed as [(typeof failed)[0], (typeof failed)[0]];
    expect(theirs.id < held.id).toBe(true);
    // Both went out, and came back: nothing is to be named.
    world.rail.moved = failed.flatMap((one) => [movementOf(one, 'out', one.id), movementOf(one, 'back', one.id)]);
    const [isHeld, goesOn] = [happening(), happening()];
    const holding = world.db.inTransaction(async () => {
      await world.db.row('SELECT FROM payouts WHERE id = $1 FOR NO KEY UPDATE', [held.id]);
      isHeld.happens();
      await goesOn.promise;
    });
    await isHeld.promise;
    let isOver = false; // if it waits for nobody
    const comparison = compare(world).finally(() => (isOver = true));
    comparison.catch(() => undefined); // it is waited for below
    await until(async () => isOver || (await waiting()) === 1);

    world.rail.answers = () => settled('anew');
    await other.push(1_000);
    let isServed = false;
    const serving = other.outcome().finally(() => (isServed = true));
    await until(async () => isServed || (await waiting()) > 1);
    const wasServed = isServed;
    goesOn.happens();
    const result = await serving;
    await Promise.all([holding, comparison]);
    expect([wasServed, result]).toEqual([true, [7_000]]);
  });
});
