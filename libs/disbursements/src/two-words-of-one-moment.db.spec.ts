/**
 * A rail says that the money is out, and a moment later that it came back, or that it refused it. The database answered late in between, so its
 * time stands still for both: each question has a date of its own all the same (ADR 54). An operator reads the lines and says owed. Then it is out again, and its rail is
 * asked at a date of its own: that is no repetition of a word that was taken back. Its rows stay (2).
 */
import { DatabaseClock } from '#libs/db';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { Payout } from '#libs/payout-rules';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

const CAME_BACK: LookupFact = { kind: 'bounced', feeCents: 0 };
const LATE_MS = 1_900;

describe('money that was out and taken back in one moment, was called owed, and is out again', () => {
  let world: MoneyWorld;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    scene = await OwedScene.of(world, await world.client());
  });

  /** The database's answer was late by so much. */
  const answeredLate = (ms: number): void => {
    const clock = world.get(DatabaseClock);
    const { bySystem, byTicks } = clock.reading();
    clock.set(new Date(clock.now().getTime() - ms), { bySystem: bySystem - ms, byTicks: byTicks - ms });
  };
  const earliest = (): Date => world.get(DatabaseClock).earliest();
  const resolveAll = async (payout: Payout): Promise<void> => {
    while ((await scene.openDrift(payout)).length > 0) await scene.resolve(payout, 'owed');
  };
  test.each([
    ['came back, asked in one moment', CAME_BACK, true],
    ['came back, asked later', CAME_BACK, false],
    ['refused, asked in one moment', refused('permanent') as LookupFact, true],
    ['refused, asked later', refused('permanent') as LookupFact, false],
  ])('its rows do not leave beside it ($#: %s)', async (_, takenBack, isOneMoment) => {
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal('permanent');
    if (isOneMoment) answeredLate(LATE_MS);
    const asked = earliest();
    await scene.tells(payout, settled());
    await scene.tells(payout, takenBack);
    await resolveAll(payout);
    answeredLate(0);
    while (earliest() <= asked) await new Promise((resolve) => setImmediate(resolve));
    world.rail.knows.set(payout.railKey, settled());
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
  });
});
