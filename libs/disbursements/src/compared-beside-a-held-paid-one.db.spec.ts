/**
 * A payout was refused, tried again, and paid: its rail's list and we agree. Something holds it for a moment at each comparison, as one of very many is held at any time: there is nothing to take
 * back about it, and it is no reason that the comparison of that rail is not whole. Owed rows of all clients wait for one that is (`mayHaveMoved`: ten minutes; point 8: one caller, everybody's trouble).
 */
import { holding } from '#libs/db/testing';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import type { LookupFact } from '#libs/rail-kit';
import { movementOf, OwedScene, startOwedWorld } from '../testing/src';

describe('a rail that lists a paid payout, which somebody holds', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  const scannedUntil = async () =>
    (await world.db.row<{ at: Date }>(`SELECT scanned_until AS at FROM rail_scans WHERE rail = 'custodial_a'`))?.at;

  test.each([false, true])('is compared with (it was refused before: %s)', async (wasRefused) => {
    world.rail.reset();
    const scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
    world.rail.answers = () => settled('one');
    const payout = wasRefused ? await scene.sentAndRefused() : await scene.sent();
    if (wasRefused) await scene.tells(payout, refused('transient') as LookupFact);
    await scene.tells(payout, settled('one') as LookupFact);
    expect(await world.status(payout.id)).toBe('paid');
    world.rail.moved = [movementOf(payout, 'out', 'one')];
    await compare(world);
    expect(await scene.openDrift(payout)).toEqual([]);
    const letGo = await holding(world.db, 'SELECT FROM payouts WHERE id = $1 FOR NO KEY UPDATE', [payout.id]);
    // As after so many comparisons beside which somebody held it.
    await world.db.execute(`UPDATE rail_scans SET scanned_until = scanned_until - interval '11 minutes'`);
    const before = await scannedUntil();
    await compare(world).finally(letGo);
    // Owed rows of everybody else leave by this rail.
    const other = await OwedScene.of(world, await world.client());
    await other.push(5_000);
    world.rail.answers = () => settled('other');
    const status = (await other.sent()).status;
    expect([status, ((await scannedUntil()) ?? 0) > (before ?? 0)]).toEqual(['paid', true]);
  });
});
