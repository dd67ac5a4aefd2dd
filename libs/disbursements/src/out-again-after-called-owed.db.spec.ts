/**
 * As `out-again-after-called-paid`, but the operator never called it paid: its rail settled what it had refused, then took it back, and an
 * operator who reads both lines closes both, for nothing is at the payee. If its rail then has it out once more (as PayPal, when a reversal is
 * cancelled), that is money that nobody decided about.
 */
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { Payout } from '#libs/payout-rules';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

const CAME_BACK: LookupFact = { kind: 'bounced', feeCents: 0 };

describe('money that moved after a refusal, came back, was called owed, and went out again', () => {
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

  /** Both are open at once, and closed with what is true: nothing is at the payee. */
  const bothAtOnce = async (payout: Payout): Promise<void> => {
    await scene.tells(payout, settled());
    await scene.tells(payout, CAME_BACK);
    expect(await scene.openDrift(payout)).toHaveLength(2);
    await scene.resolve(payout, 'owed');
    await scene.resolve(payout, 'owed');
    expect(await scene.openDrift(payout)).toEqual([]);
  };
  /** The operator has it called back at the provider, which says later that it came back. */
  const calledBack = async (payout: Payout): Promise<void> => {
    await scene.tells(payout, settled());
    await scene.resolve(payout, 'owed');
    await scene.tells(payout, CAME_BACK);
    await scene.resolve(payout, 'owed');
    expect(await scene.openDrift(payout)).toEqual([]);
  };

  /** Its rail calls what was taken back refused, as rails in legs do. */
  const calledRefused = async (payout: Payout): Promise<void> => {
    await scene.tells(payout, settled());
    await scene.resolve(payout, 'owed');
    await scene.tells(payout, refused('permanent'));
    expect((await world.payout(payout.id)).clearedAt).not.toBeNull();
    expect(await scene.openDrift(payout)).toEqual([]);
  };

  describe.each([
    ['called refused in between', calledRefused],
    ['both lines closed at once', bothAtOnce],
    ['called back', calledBack],
  ])('%s', (_, cameBack) => {
    test('its rows do not leave beside it', async () => {
      await scene.push(6_000);
      const payout = await scene.refusedWithdrawal('permanent');
      await cameBack(payout);
      // Nobody looked yet: the withdrawal asks.
      world.rail.knows.set(payout.railKey, settled());
      expect(await scene.outcome()).toBe('nothing_to_withdraw');
      expect(await scene.openDrift(payout)).toMatchObject([{ kind: 'not_paid_here', railCents: 6_000 }]);
    });

    test('it is named if its rows had left with another payout', async () => {
      await scene.push(6_000);
      const payout = await scene.refusedWithdrawal('permanent');
      await cameBack(payout);
      const [again] = (await scene.withdraw()) as [Payout];
      world.rail.answers = () => settled('another');
      await world.drive(again.id);
      expect(await world.status(again.id)).toBe('paid');
      await scene.tells(payout, settled());
      expect(await scene.openDrift(payout)).toMatchObject([{ kind: 'not_paid_here', railCents: 6_000 }]);
    });

    test('it is named, once, if it was the caller’s own', async () => {
      const payout = await world.pay(scene.client, scene.payee, 5_000);
      await scene.refuse(payout, 'permanent');
      await cameBack(payout);
      await scene.tells(payout, settled());
      expect(await scene.openDrift(payout)).toMatchObject([{ kind: 'not_paid_here', railCents: 5_000 }]);
      await scene.resolve(payout, 'owed');
      await scene.tells(payout, settled());
      expect(await scene.openDrift(payout)).toEqual([]);
    });
  });
});
