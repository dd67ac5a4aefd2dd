/** An operator called money paid, and its rail says afterwards that it refused it: it was cancelled there, or taken back by hand. */
import type { Payout } from '#libs/payout-rules';
import { AskRail, GiveUpPayout } from '#libs/payouts';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('money that an operator called paid, and that its rail calls refused', () => {
  let world: MoneyWorld;
  let scene: OwedScene;
  let row: string;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    scene = await OwedScene.of(world, await world.client());
    row = await scene.push(6_000);
  });

  const failed = (failure?: 'permanent'): Promise<Payout> => scene.refusedWithdrawal(failure);
  const callPaid = async (payout: Payout): Promise<void> => {
    if (payout.failureKind === 'permanent') await scene.tells(payout, settled());
    else await scene.isListed(payout);
    await scene.resolve(payout, 'paid');
    expect(await scene.openDrift(payout)).toEqual([]);
  };

  describe.each<[string, 'permanent' | undefined, string]>([
    ['for good', 'permanent', 'failed'],
    ['for now', undefined, 'paid'],
  ])('it had failed %s', (_, failure, status) => {
    test('is named until somebody closes that, and once', async () => {
      const payout = await failed(failure);
      await callPaid(payout);
      await scene.tells(payout, refused());
      await compare(world);
      expect(await scene.openDrift(payout)).toMatchObject([
        { kind: 'amount_differs', railCents: null, liftingFeeCents: null, hasMoved: false },
      ]);
      await scene.resolve(payout, 'owed');
      await scene.tells(payout, refused());
      expect(await scene.openDrift(payout)).toEqual([]);
    });

    test('does not leave again by that: its rail may settle it after all', async () => {
      const payout = await failed(failure);
      await callPaid(payout);
      await scene.tells(payout, refused());
      await scene.resolve(payout, 'owed');
      world.rail.knows.set(payout.railKey, settled());
      expect([await world.status(payout.id), ...(await scene.statuses(row))]).toEqual([status, 'paid']);
      expect(await scene.outcome()).toBe('nothing_to_withdraw');
    });

    test('an answer from before that is no news', async () => {
      const payout = await failed(failure);
      const asked = await world.payout(payout.id);
      await callPaid(payout);
      await world.get(AskRail).apply(asked, refused());
      expect(await scene.openDrift(payout)).toEqual([]);
    });
  });

  test('what this database never sent, as after a restore, is named when its bank sends it back', async () => {
    await world.db.execute('UPDATE payees SET blocked = true WHERE id = $1', [scene.payee.id]);
    const [held] = (await scene.withdraw()) as [Payout];
    await world.get(GiveUpPayout).run(held, null);
    await world.db.execute('UPDATE payees SET blocked = false WHERE id = $1', [scene.payee.id]);
    await scene.isListed(held);
    await scene.resolve(held, 'paid');
    await scene.tells(held, { kind: 'bounced', feeCents: 100 });
    expect(await scene.openDrift(held)).toMatchObject([{ liftingFeeCents: 100 }]);
  });
});
