/**
 * An operator closes a difference: its money came back, and its rail, which is asked first, says so. While that answer is on its way another process
 * hears that the money is out again. The operator does not know it: the deed is refused once, as it would be if their own question had been told so.
 */
import { OwedScene, startOwedWorld } from '#libs/disbursements/testing';
import { DatabaseClock } from '#libs/db';
import { AskRail } from '#libs/payouts';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import type { OperateDrift } from './operate-drift';
import { operateDriftIn } from './operate-drift.fake';

const CAME_BACK: LookupFact = { kind: 'bounced', feeCents: 0 };

describe('money that is out again by what another process hears while the rail is asked for a deed', () => {
  let world: MoneyWorld;
  let scene: OwedScene;
  let operate: OperateDrift;
  beforeAll(async () => {
    world = await startOwedWorld();
    operate = operateDriftIn(world);
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    jest.restoreAllMocks();
    world.rail.reset();
    readLate(0);
    scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
  });

  const clock = (): DatabaseClock => world.get(DatabaseClock);
  /** The database said what time it is, and that is read so much later: nobody can tell when it said so meanwhile. */
  const readLate = (ms: number): void => {
    const now = clock().now();
    const { bySystem, byTicks } = clock().reading();
    clock().set(new Date(now.getTime() - ms), { bySystem: bySystem - ms, byTicks: byTicks - ms });
  };
  /** Whatever is asked from now on is asked in the same millisecond. */
  const standStill = (): void => void jest.spyOn(clock(), 'nextDate').mockReturnValue(clock().earliest());

  test.each([
    { when: 'a moment later', before: () => undefined, between: () => undefined },
    { when: 'in the same millisecond', before: standStill, between: () => undefined },
    { when: 'later, by a clock that can tell less by then', before: () => undefined, between: () => readLate(500) },
  ])('keeps its rows: the operator read that it came back (the other asks $when)', async ({ before, between }) => {
    const payout = await scene.refusedWithdrawal('permanent');
    for (const fact of [settled() as LookupFact, CAME_BACK]) await scene.tells(payout, fact);
    const lines = await scene.openDrift(payout);
    expect(lines.map(({ said }) => said)).toEqual(['back', 'back']);
    const close = (id: string) =>
      operate.resolve('ada', id, { note: null, rows: 'owed', neverSeen: false }).then(
        () => 'closed',
        ({ message }: Error) => message,
      );
    let answers = (): void => undefined;
    world.rail.lookupGate = new Promise((resolve) => (answers = resolve));
    world.rail.asked.length = 0;
    before();
    const first = close((lines[0] as { id: string }).id);
    await world.rail.lookingUp(payout.railKey);
    // Its answer, that it came back, is on its way. Out again by then: another process asks, and hears it first.
    world.rail.lookupGate = Promise.resolve();
    between();
    world.rail.knows.set(payout.railKey, settled() as LookupFact);
    await world.get(AskRail).lookUp(await world.payout(payout.id));
    expect((await scene.openDrift(payout)).map(({ said }) => said)).toEqual(['out', 'out']);
    answers();
    expect(await first).toContain('now says that this money is out');
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
  });
});
