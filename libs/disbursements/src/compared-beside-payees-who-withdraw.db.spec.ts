/**
 * Payees of one client withdraw again and again, and each has a payout that failed and is on its rail's list: at any moment somebody holds one of them, for
 * some milliseconds. Comparisons are over all the same: after a restore, for one, rows of all clients wait for that (1, 8; ADR 72).
 */
import { compare } from '#libs/reconciliation/testing';
import type { LookupFact } from '#libs/rail-kit';
import type { MoneyWorld } from '#libs/payouts/testing';
import { movementOf, OwedScene, startOwedWorld } from '../testing/src';

const UNTIL = `SELECT scanned_until::text AS at FROM rail_scans WHERE rail = 'custodial_a'`;

describe('comparisons beside payees who withdraw again and again', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test.each([0, 8])('are over (%i payees)', async (payees) => {
    world.rail.reset();
    const client = await world.client();
    const all = [];
    for (let nth = 0; nth < 8; nth += 1) {
      const scene = await OwedScene.of(world, client);
      await scene.push(6_000);
      const payout = await scene.sentAndRefused('permanent');
      await scene.tells(payout, { kind: 'unknown', detail: 'no answer' } as LookupFact);
      all.push({ scene, payout });
    }
    world.rail.moved = all.map(({ payout }) => movementOf(payout, 'out', payout.id));
    await compare(world);
    let goesOn = true;
    const withdrawals = all.slice(0, payees).map(async ({ scene }) => {
      while (goesOn) await scene.outcome();
    });
    const until = async () => (await world.db.row<{ at: string }>(UNTIL))?.at;
    let over = 0;
    for (let nth = 0; nth < 8; nth += 1) {
      const before = await until();
      await compare(world);
      if ((await until()) !== before) over += 1;
    }
    goesOn = false;
    await Promise.all(withdrawals);
    expect(over).toBeGreaterThan(2);
  });
});
