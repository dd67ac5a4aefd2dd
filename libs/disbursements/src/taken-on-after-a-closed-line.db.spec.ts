/**
 * A rail takes on what it had refused, and refuses it after all. The difference stays open, and an operator closes it (ADR 29): nothing is there. If
 * the rail takes it on once more, nobody decided about that: it is named, and the rows do not leave beside it.
 */
import { accepted, type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { Payout } from '#libs/payout-rules';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('what a rail takes on once more, after its operator closed the line of the first time', () => {
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

  const closed = async (): Promise<Payout> => {
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal('permanent');
    await scene.tells(payout, accepted());
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
    await scene.tells(payout, refused('permanent'));
    await scene.resolve(payout, 'owed');
    return payout;
  };

  test('is named', async () => {
    const payout = await closed();
    await scene.tells(payout, accepted());
    expect(await scene.openDrift(payout)).toHaveLength(1);
  });

  test('keeps its rows: both would be paid', async () => {
    const payout = await closed();
    world.rail.knows.set(payout.railKey, accepted());
    const paid: number[] = [];
    const outcome = await scene.outcome();
    if (Array.isArray(outcome)) paid.push(...outcome);
    await scene.tells(payout, settled());
    expect({ outcome, paid }).toEqual({ outcome: 'nothing_to_withdraw', paid: [] });
  });
});
