/**
 * Its money went out and came back, both are open, and nobody has asked since. An operator finds at the rail that it is out again, calls it paid, and
 * closes both. Their rail is asked first, and what it says is another word than they read: they read it, and close both then. Once it does come back
 * that is news.
 */
import { OwedScene, startOwedWorld } from '#libs/disbursements/testing';
import type { RailWord } from '#libs/drift';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import type { OperateDrift } from './operate-drift';
import { operateDriftIn } from './operate-drift.fake';

const CAME_BACK: LookupFact = { kind: 'bounced', feeCents: 0 };

describe('money that was called paid before its rail was heard to have it out again', () => {
  let world: MoneyWorld;
  let scene: OwedScene;
  let operate: OperateDrift;
  beforeAll(async () => {
    world = await startOwedWorld();
    operate = operateDriftIn(world);
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    scene = await OwedScene.of(world, await world.client());
  });

  test('is named when it comes back', async () => {
    const row = await scene.push(6_000);
    const payout = await scene.refusedWithdrawal('permanent');
    for (const fact of [settled() as LookupFact, CAME_BACK]) await scene.tells(payout, fact);
    world.rail.knows.set(payout.railKey, settled() as LookupFact);
    const lines = await scene.openDrift(payout);
    expect(lines.map(({ liftingFeeCents, said }) => [liftingFeeCents, said])).toEqual([
      [0, 'back'],
      [null, 'back'],
    ]);
    const callPaid = async (said: RailWord) => {
      for (const { id } of lines.toReversed())
        await operate.resolve('ada', id, { note: null, rows: 'paid', neverSeen: false, said });
    };
    await expect(callPaid('back')).rejects.toThrow('now says that this money is out');
    await callPaid('out');
    expect([await scene.openDrift(payout), await scene.statuses(row)]).toEqual([[], ['paid']]);

    await scene.tells(payout, CAME_BACK);
    expect(await scene.openDrift(payout)).toHaveLength(1);
  });
});
