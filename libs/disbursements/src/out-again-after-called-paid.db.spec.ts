/**
 * As `out-again`, of a payout that had failed here: its rail settled it after all, an operator called it paid, and its bank sent it back. If its rail
 * then has it out once more (as PayPal, when a reversal is cancelled), that may be money twice.
 */
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

const CAME_BACK: LookupFact = { kind: 'bounced', feeCents: 0 };

describe('money that was called paid, came back, and went out again', () => {
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

  /** Each thing is named once, however often its rail says it. */
  const cameBack = async (payout: Payout): Promise<void> => {
    for (const [fact, rows] of [[settled(), 'paid'] as const, [CAME_BACK, 'owed'] as const]) {
      await scene.tells(payout, fact);
      await scene.resolve(payout, rows);
      await scene.tells(payout, fact);
      expect(await scene.openDrift(payout)).toEqual([]);
    }
  };

  test('is named if its rows had left with another payout', async () => {
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal('permanent');
    await cameBack(payout);
    const [again] = (await scene.withdraw()) as [Payout];
    world.rail.answers = () => settled('another');
    await world.drive(again.id);
    expect([await world.status(again.id), again.railKey === payout.railKey]).toEqual(['paid', false]);
    await scene.tells(payout, settled());
    expect(await scene.openDrift(payout)).toMatchObject([{ kind: 'not_paid_here', railCents: 6_000 }]);
  });

  test('is named if it was the caller’s own, as often as it goes out and comes back', async () => {
    const payout = await world.pay(scene.client, scene.payee, 5_000);
    await scene.refuse(payout, 'permanent');
    await cameBack(payout);
    await cameBack(payout);
    expect(await world.payout(payout.id)).toMatchObject({ status: 'failed' });
  });
});
