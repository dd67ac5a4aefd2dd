/**
 * As `never-seen-while-it-is-being-listed`, but the payout was sent and is held, for its rail refused the account, as an admin says `fail {neverSeen}`. What
 * was said before money was heard of, by its list too, frees no rows (2; ADR 120).
 */
import type { Client } from '#libs/clients';
import { happening } from '#libs/db/testing';
import { RailLists } from '#libs/drift';
import { GiveUpPayout } from '#libs/payouts';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import type { LookupFact, SubmitFact } from '#libs/rail-kit';
import { movementOf, OwedScene, startOwedWorld } from '../testing/src';

const SILENT: LookupFact = { kind: 'unknown', detail: 'no answer' };
const REFUSED = { kind: 'refused', failure: 'account', reason: 'closed' } as LookupFact & SubmitFact;
const WAITS = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

describe('neverSeen of a held payout, said while a comparison keeps that the money was out and came back', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  test.each(['before', 'while'])('frees no rows (the payout is failed %s it is kept)', async (when) => {
    world.rail.reset();
    const scene = await OwedScene.of(world, client);
    const row = await scene.push(6_000);
    world.rail.answers = () => REFUSED;
    const first = await scene.sent();
    expect(first).toMatchObject({ status: 'held', submittedAt: expect.any(Date) });
    world.rail.knows.set(first.railKey, SILENT);
    await compare(world);

    const isHeld = when === 'while';
    const say = async (): Promise<void> =>
      world
        .get(GiveUpPayout)
        .run(await world.payout(first.id), 'an admin looked there', true)
        .then(() => undefined)
        .catch((error: { code: string }) => expect(error.code).toBe('illegal_transition'));
    if (!isHeld) await say();
    world.rail.moved = [movementOf(first, 'out', 'late'), movementOf(first, 'back', 'late')];
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
    let isSaid = !isHeld;
    const saying = isHeld ? say().finally(() => (isSaid = true)) : Promise.resolve();
    const waits = async (): Promise<boolean> => (await world.db.row(WAITS)) !== null;
    while (!isSaid && !(await waits())) await new Promise((resolve) => setImmediate(resolve));
    goesOn.happens();
    await Promise.all([comparison, saying]);
    await compare(world);
    expect(await scene.openDrift(first)).toHaveLength(0);

    // It moves once more, and nobody hears of that.
    world.rail.moved = [];
    world.rail.answers = () => settled('once more');
    await scene.push(1_000); // so what leaves has another code than the first
    // The admin, who waited for the comparison, is refused: it stays held.
    expect([await scene.outcome(), await scene.statuses(row)]).toEqual([[1_000], [isHeld ? 'released' : 'owed']]);
  });
});
