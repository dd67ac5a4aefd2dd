/**
 * As `named-though-held-for-a-moment`, but its payee withdraws again and again: whenever the comparison looks, somebody holds the payout for a moment. It is
 * waited for, and named by that comparison all the same, which is over then (1: "becomes drift that names it within the minute"; ADR 72).
 */
import type { Client } from '#libs/clients';
import { holding } from '#libs/db/testing';
import { RailLists } from '#libs/drift';
import type { MoneyWorld } from '#libs/payouts/testing';
import { refused } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import type { LookupFact } from '#libs/rail-kit';
import { movementOf, OwedScene, startOwedWorld } from '../testing/src';

const SCANNED = `SELECT scanned_until::text FROM rail_scans WHERE rail = $1`;

describe('a payout that failed and is listed as moved', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  test('is named by that comparison', async () => {
    world.rail.reset();
    const scene = await OwedScene.of(world, client);
    await scene.push(6_000);
    const payout = await scene.sentAndRefused('permanent');
    await scene.tells(payout, refused('permanent') as LookupFact);
    const scanned = () => world.db.row(SCANNED, [payout.provider]);
    await compare(world);
    const before = await scanned();
    world.rail.moved = [movementOf(payout, 'out', 'late')];
    const holds = () => holding(world.db, 'SELECT FROM payouts WHERE id = $1 FOR NO KEY UPDATE', [payout.id]);
    const lists = world.get(RailLists);
    const looks = lists.hold.bind(lists);
    jest.spyOn(lists, 'hold').mockImplementation(async (...what) => {
      if (!what[2]) return looks(...what) as never; // once it is held by the comparison
      const letGo = await world.db.outsideTransaction(holds);
      const free = await looks(...what);
      await letGo();
      return free as never;
    });
    await compare(world);
    expect(await scene.openDrift(payout)).toHaveLength(1);
    expect(await scanned()).not.toEqual(before);
  });
});
