/**
 * A process asks, hears that the money is out, and stands still. Meanwhile it came back, which another process hears, and operators decided about
 * both. The first one wakes and writes what it heard: that is older than what is on record, and not what the rail said last.
 */
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import { AskRail } from '#libs/payouts';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

const CAME_BACK: LookupFact = { kind: 'bounced', feeCents: 0 };

describe('a word that was heard before a standstill, and is written after it', () => {
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

  test('is not what the rail said last: money that is out again is named, and its rows stay', async () => {
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal('permanent');
    const asking = world.get(AskRail);
    world.rail.knows.set(payout.railKey, settled() as LookupFact);
    const old = await asking.ask(payout); // and stands still
    await scene.tells(payout, settled());
    await scene.resolve(payout, 'owed');
    await scene.tells(payout, CAME_BACK);
    await scene.resolve(payout, 'owed');
    await asking.apply(payout, old); // wakes
    // The operator looks at the rail: it is back. Nothing is at the payee.
    while ((await scene.openDrift(payout)).length > 0) await scene.resolve(payout, 'owed');
    // Only now it is out again.
    world.rail.knows.set(payout.railKey, settled() as LookupFact);
    expect({ leaves: await scene.outcome(), open: (await scene.openDrift(payout)).length }).toEqual({
      leaves: 'nothing_to_withdraw',
      open: 1,
    });
  });
});
