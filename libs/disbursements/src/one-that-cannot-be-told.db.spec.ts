/**
 * Of one payout of a payee a rail can never tell: its rows stay. Other rows of theirs were refused again and again; the rail says no to each of
 * those, and is asked about so many only as fit beside the one.
 */
import { type MoneyWorld, refused } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

/** More than are asked about at once. */
const TIMES = 9;
const IN_DOUBT = { kind: 'unknown', detail: 'it is in doubt, and asks for nothing while it is at rest' } as const;

describe('rows that were on many payouts before', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test('leave although their rail cannot tell of another payout of their payee', async () => {
    const scene = await OwedScene.of(world, await world.client());
    const kept = await scene.push(50_000);
    const inDoubt = await scene.refusedWithdrawal();
    world.rail.knows.set(inDoubt.railKey, IN_DOUBT);
    for (let time = 0; time < TIMES; time += 1) {
      await scene.push(1_000);
      const { railKey, amountCents } = await scene.refusedWithdrawal();
      expect(amountCents).toBe((time + 1) * 1_000);
      world.rail.knows.set(railKey, refused());
    }
    expect(await scene.outcome()).toEqual([TIMES * 1_000]);
    expect(await scene.statuses(kept)).toEqual(['owed']);
  });

  test('leave although it cannot tell of more than are asked about at once, all of them younger', async () => {
    const scene = await OwedScene.of(world, await world.client());
    const row = await scene.push(1_000);
    const first = await scene.refusedWithdrawal();
    world.rail.knows.set(first.railKey, IN_DOUBT);
    for (let time = 0; time < TIMES; time += 1) {
      await scene.push(50_000);
      world.rail.knows.set((await scene.refusedWithdrawal()).railKey, IN_DOUBT);
    }
    world.rail.knows.set(first.railKey, refused());
    expect(await scene.outcome()).toEqual([1_000]);
    expect(await scene.statuses(row)).toEqual(['released']);
  });
});
