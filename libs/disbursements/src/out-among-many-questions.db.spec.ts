/**
 * The database's answer about the time came late by seconds, and many questions are put at once, as for a comparison's news: each is dated a millisecond after the one before (`nextDate`), the
 * last ones ahead of the database's clock, though nobody set that. A payout that failed is asked about before them ("no", and that answer is slow) and after them ("it is out"). The word
 * that it is out is of the later question, and is no word of a clock that was set back: the older no does not take it back (ADR 54: no word of before money was heard of counts; point 2).
 */
import type { Client } from '#libs/clients';
import { DatabaseClock } from '#libs/db';
import { AskRail } from '#libs/payouts';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

const LATE_MS = 5_000;

describe('money that is out, heard among many questions', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  /** The database was asked so long ago, and told the time as it is read. */
  const answered = (late: number): void => {
    const clock = world.get(DatabaseClock);
    const { bySystem, byTicks } = clock.reading();
    clock.set(clock.earliest(), { bySystem: bySystem - late, byTicks: byTicks - late });
  };

  test.each([0, 1_500])('an older no is no later word (%s questions in between)', async (questions) => {
    world.rail.reset();
    answered(0);
    const scene = await OwedScene.of(world, client);
    await scene.push(6_000);
    const payout = await scene.sentAndRefused('permanent');
    answered(LATE_MS);
    let answers = (): void => undefined;
    world.rail.lookupGate = new Promise((resolve) => (answers = resolve));
    const older = world.get(AskRail).lookUp(await world.payout(payout.id));
    await world.rail.lookingUp(payout.railKey);
    world.rail.lookupGate = Promise.resolve();
    const before = world.get(DatabaseClock).earliest();
    while (world.get(DatabaseClock).earliest() <= before) await new Promise((resolve) => setImmediate(resolve));
    for (let n = 0; n < questions; n += 1) world.get(AskRail).askedAt();
    await scene.tells(payout, settled() as LookupFact);
    expect(await scene.openDrift(payout)).toMatchObject([{ said: 'out' }]);
    answers();
    await older;
    expect(await scene.openDrift(payout)).toMatchObject([{ said: 'out' }]);
  });
});
