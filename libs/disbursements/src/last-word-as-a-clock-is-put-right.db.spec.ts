/**
 * A rail is asked for its last word; while its no is on its way, its list has the money out and back. A no is of the time at which it was asked for, however late it is heard: it was said
 * before money was heard of, and frees no rows once the rail has forgotten the code (ADR 120; point 2). So it is while the clock of the database was put right by less
 * than a minute a moment ago: the question was not put later for that.
 */
import type { Client } from '#libs/clients';
import { systemClock } from '#libs/domain';
import { DatabaseClock } from '#libs/db';
import { AskRail } from '#libs/payouts';
import { type MoneyWorld, refused, settled, timePasses } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import type { LookupFact } from '#libs/rail-kit';
import { movementOf, OwedScene, startOwedWorld } from '../testing/src';

describe('a last word that is heard after its list had the money out and back', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  /** Its rail keeps codes for an hour. */
  const passes = (id: string, part: number) => timePasses(world, id, part * 3_600);
  const thatSaw = (...aheadMs: number[]): DatabaseClock => {
    const clock = new DatabaseClock();
    for (const ms of aheadMs) {
      clock.set(new Date(systemClock.now().getTime() + ms), clock.reading());
      clock.nextDate(); // something is dated
    }
    return clock;
  };

  test.each([0, 50_000])('frees no rows (the clock was %i ms ahead)', async (ms) => {
    world.rail.reset();
    const scene = await OwedScene.of(world, client);
    const row = await scene.push(6_000);
    const first = await scene.sentAndRefused('permanent');
    await passes(first.id, 0.9);
    Object.assign(world.get(DatabaseClock), thatSaw(ms, 0));
    let answers = (): void => undefined;
    world.rail.lookupGate = new Promise((resolve) => (answers = resolve));
    world.rail.asked.length = 0;
    world.rail.knows.set(first.railKey, refused('permanent') as LookupFact);
    const look = world.get(AskRail).lookUp(await world.payout(first.id));
    await world.rail.lookingUp(first.railKey);
    world.rail.lookupGate = Promise.resolve();
    world.rail.moved = [movementOf(first, 'out', 'late'), movementOf(first, 'back', 'late')];
    await compare(world);
    expect(await scene.openDrift(first)).toHaveLength(0);
    world.rail.moved = [];
    answers();
    await look;
    // It moves once more, and nobody hears of that.
    world.rail.knows.clear();
    await passes(first.id, 0.2);
    Object.assign(world.get(DatabaseClock), thatSaw(0));
    world.rail.answers = () => settled('once more');
    await scene.push(1_000);
    const left = await scene.outcome();
    expect([left, await scene.statuses(row)]).toEqual([[1_000], ['owed']]);
  });
});
