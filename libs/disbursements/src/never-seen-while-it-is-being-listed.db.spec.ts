/**
 * An admin says `fail {neverSeen}` of a payout while a comparison has just kept what its rail lists of it, and is not through. What was said before money
 * was heard of, by its list too, frees no rows (2; ADR 120): the admin waits for the comparison, or it for them.
 */
import type { Client } from '#libs/clients';
import { happening } from '#libs/db/testing';
import { RailLists } from '#libs/drift';
import { GiveUpPayout } from '#libs/payouts';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import type { LookupFact } from '#libs/rail-kit';
import { movementOf, OwedScene, startOwedWorld } from '../testing/src';

const SILENT: LookupFact = { kind: 'unknown', detail: 'no answer' };

describe('neverSeen, said while a comparison keeps that the money was out', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  test.each(['at once', 'later'])('frees no rows (it came back %s)', async (when) => {
    world.rail.reset();
    const scene = await OwedScene.of(world, client);
    const row = await scene.push(6_000);
    const first = await scene.sentAndRefused('permanent');
    world.rail.knows.set(first.railKey, SILENT);
    await compare(world);

    const [out, back] = [movementOf(first, 'out', 'late'), movementOf(first, 'back', 'late')];
    world.rail.moved = [out, ...(when === 'at once' ? [back] : [])];
    const [isKept, goesOn] = [happening(), happening()];
    const lists = world.get(RailLists);
    const keep = lists.keep.bind(lists);
    jest.spyOn(lists, 'keep').mockImplementation(async (rail, movements, askedAt) => {
      await keep(rail, movements, askedAt);
      if (movements.length === 0) return;
      isKept.happens();
      await goesOn.promise;
    });
    const comparison = compare(world);
    await isKept.promise;
    let isSaid = false;
    const saying = world
      .get(GiveUpPayout)
      .run(await world.payout(first.id), 'an admin looked there', true)
      .catch((error: { code: string }) => expect(error.code).toBe('illegal_transition'))
      .finally(() => (isSaid = true));
    const waits = async (): Promise<boolean> => (await world.db.row(WAITS)) !== null;
    while (!isSaid && !(await waits())) await new Promise((resolve) => setImmediate(resolve));
    goesOn.happens();
    await Promise.all([comparison, saying]);
    world.rail.moved = [out, back];
    await compare(world);
    expect(await scene.openDrift(first)).toHaveLength(0);

    // It moves once more, and nobody hears of that.
    world.rail.moved = [];
    world.rail.answers = () => settled('once more');
    await scene.push(1_000); // so what leaves has another code than the first
    expect([await scene.outcome(), await scene.statuses(row)]).toEqual([[1_000], ['owed']]);
  });
});

const WAITS = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
