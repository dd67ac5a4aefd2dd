/**
 * As `heard-while-a-clock-is-slewed`, but the clock of the database was truly ahead, by what a slew makes of a second (80 ms) or by more, and is put right: the dates
 * of both questions are still to come then. The later one, that money is out, counts (point 2).
 */
import { OwedScene, startOwedWorld } from '#libs/disbursements/testing';
import { systemClock } from '#libs/domain';
import { DatabaseClock } from '#libs/db';
import { AskRail } from '#libs/payouts';
import { type MoneyWorld, settled, timePasses } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { operateDriftIn } from './operate-drift.fake';

const CAME_BACK: LookupFact = { kind: 'bounced', feeCents: 0 };

describe('money that is out again by what is heard as the clock of the database is put right', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  const looks = (aheadMs: number): void => {
    const clock = world.get(DatabaseClock);
    clock.set(new Date(systemClock.now().getTime() + aheadMs), clock.reading());
  };

  test.each([0, 80, 800, 6_000])('keeps its rows (%s ms)', async (aheadMs) => {
    world.rail.reset();
    const operate = operateDriftIn(world);
    const scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal('permanent');
    for (const fact of [settled() as LookupFact, CAME_BACK]) await scene.tells(payout, fact);
    const [line, other] = (await scene.openDrift(payout)).map(({ id }) => id);
    const close = (id = '') =>
      operate.resolve('ada', id, { note: null, rows: 'owed', neverSeen: false }).then(
        () => 'closed',
        ({ message }: Error) => message,
      );
    let answers = (): void => undefined;
    world.rail.lookupGate = new Promise((resolve) => (answers = resolve));
    world.rail.asked.length = 0;
    looks(aheadMs);
    const closing = close(line);
    await world.rail.lookingUp(payout.railKey);
    world.rail.lookupGate = Promise.resolve();
    looks(0);
    world.rail.knows.set(payout.railKey, settled() as LookupFact);
    await world.get(AskRail).lookUp(await world.payout(payout.id));
    answers();
    const said = await closing;
    await timePasses(world, payout.id, 1.2 * 3_600);
    world.rail.knows.clear();
    world.rail.answers = () => settled('once more');
    await close(other);
    await scene.push(1_000);
    expect([said, await scene.outcome()]).toEqual([
      expect.stringContaining('now says that this money is out'),
      [1_000],
    ]);
  });
});
