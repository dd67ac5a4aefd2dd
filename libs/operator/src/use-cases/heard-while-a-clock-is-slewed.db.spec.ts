/**
 * As `heard-while-asked-as-it-is-closed`: an operator closes a difference as come back; while the rail's answer to their question is on its way another question,
 * put later, hears that the money is out again. Between the two a look at the database finds its clock 800 ms behind what was expected: its host is slewed
 * back, by a twelfth of some ten seconds, and nobody set it. The later question counts: rows of money that is out do not leave (point 2). So it is if the
 * clock was set back by 1.5 s.
 */
import { OwedScene, startOwedWorld } from '#libs/disbursements/testing';
import { DatabaseClock } from '#libs/db';
import { AskRail } from '#libs/payouts';
import { type MoneyWorld, settled, timePasses } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { operateDriftIn } from './operate-drift.fake';

const CAME_BACK: LookupFact = { kind: 'bounced', feeCents: 0 };

describe('money that is out again by what is heard while the clock of the database is slewed back', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  /** A look that is answered at once. */
  const looks = (behindMs: number): void => {
    const clock = world.get(DatabaseClock);
    clock.set(new Date(clock.now().getTime() - behindMs), clock.reading());
  };

  test.each([0, 800, 1_500])('keeps its rows (%s ms)', async (slewedMs) => {
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
    looks(0);
    const closing = close(line);
    await world.rail.lookingUp(payout.railKey);
    // Its answer, that it came back, is on its way. Out again by then: somebody else asks, and hears it first.
    world.rail.lookupGate = Promise.resolve();
    looks(slewedMs);
    world.rail.knows.set(payout.railKey, settled() as LookupFact);
    await world.get(AskRail).lookUp(await world.payout(payout.id));
    answers();
    const said = await closing;
    // Much later its rail has forgotten it.
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
