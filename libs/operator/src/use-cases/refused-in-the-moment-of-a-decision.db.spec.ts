/**
 * A rail says that the money moved, and an operator, for whom it is asked once more, calls the rows owed: it is not there. A moment later the rail refuses the
 * payout, and then it moves it. "Once the rail says otherwise the operator's word counts no more, and whatever the rail says from then on is news" (ADR 120):
 * the refusal was said after the decision, also if nobody can tell the moments of the two questions apart, as while the clock can tell less than before.
 */
import { OwedScene, startOwedWorld } from '#libs/disbursements/testing';
import { DatabaseClock } from '#libs/db';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { operateDriftIn } from './operate-drift.fake';

describe('a refusal that is heard in the moment of a decision', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  /** The database said what time it is, and that is read so much later: nobody can tell when it said so meanwhile. */
  const readLate = (ms: number): void => {
    const clock = world.get(DatabaseClock);
    const now = clock.now();
    const { bySystem, byTicks } = clock.reading();
    clock.set(new Date(now.getTime() - ms), { bySystem: bySystem - ms, byTicks: byTicks - ms });
  };

  /** Whatever is asked from now on is asked in the same millisecond. */
  const standStill = (): void => {
    const clock = world.get(DatabaseClock);
    jest.spyOn(clock, 'nextDate').mockReturnValue(clock.nextDate());
  };
  beforeEach(() => void jest.restoreAllMocks());

  test.each([
    { clock: 'as it is', before: () => undefined },
    { clock: 'that stands still', before: standStill },
    { clock: 'that can tell less by then', before: () => readLate(20_000) },
  ])('is heard: what moves after it is named, and keeps its rows (a clock $clock)', async ({ before }) => {
    world.rail.reset();
    const scene = await OwedScene.of(world, await world.client());
    const row = await scene.push(6_000);
    const first = await scene.sentAndRefused('permanent');
    await scene.tells(first, settled() as LookupFact);
    const [line] = await scene.openDrift(first);
    before();
    await operateDriftIn(world).resolve('ada', (line as { id: string }).id, {
      ...{ note: null, rows: 'owed', neverSeen: false },
    });
    await scene.tells(first, refused('permanent') as LookupFact);
    await scene.tells(first, settled() as LookupFact);
    expect(await scene.openDrift(first)).toHaveLength(1);
    await scene.push(1_000);
    expect([await scene.outcome(), await scene.statuses(row)]).toEqual([[1_000], ['owed']]);
  });
});
