/** An operator called money paid, and its rail says afterwards that it refused it: it was cancelled there, or taken back by hand. */
import type { Payout } from '#libs/payout-rules';
import { AskRail, GiveUpPayout } from '#libs/payouts';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
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

  const calledPaid = async (failure?: 'permanent'): Promise<Payout> => {
    const payout = await scene.refusedWithdrawal(failure);
    if (failure) await scene.tells(payout, settled());
    else await scene.isListed(payout);
    await scene.resolve(payout, 'paid');
    expect(await scene.openDrift(payout)).toEqual([]);
    return payout;
  };

  describe.each<[string, 'permanent' | undefined, string, string]>([
    ['for good', 'permanent', 'failed', 'failed'],
    ['for now', undefined, 'paid', 'returned'],
  ])('it had failed %s', (_, failure, status, statusOnceOwed) => {
    test('is named, and owed again once an operator says so', async () => {
      const payout = await calledPaid(failure);
      expect(await world.status(payout.id)).toBe(status);
      await scene.tells(payout, refused());
      expect(await scene.openDrift(payout)).toMatchObject([
        { kind: 'amount_differs', railCents: 0, liftingFeeCents: 0, hasMoved: false },
      ]);
      expect(await scene.statuses(row)).toEqual(['paid']);
      expect(await scene.resolve(payout, 'owed')).toBe(1);
      expect(await world.status(payout.id)).toBe(statusOnceOwed);
      expect(await scene.balance()).toEqual({ withdrawableCents: 6_000, landedCents: 0 });
      expect(await scene.outcome()).toEqual([6_000]);
    });

    test('stays paid if an operator says so, and is not named again for it', async () => {
      const payout = await calledPaid(failure);
      await scene.tells(payout, refused());
      await scene.resolve(payout, 'paid');
      await scene.tells(payout, refused());
      expect(await scene.openDrift(payout)).toEqual([]);
      expect([await world.status(payout.id), ...(await scene.statuses(row))]).toEqual([status, 'paid']);
      expect(await scene.outcome()).toBe('nothing_to_withdraw');
    });

    test('an answer from before that is no news', async () => {
      const payout = await scene.refusedWithdrawal(failure);
      const asked = await world.payout(payout.id);
      if (failure) await scene.tells(payout, settled());
      else await scene.isListed(payout);
      await scene.resolve(payout, 'paid');
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

  test("takes a caller's own payout back as well", async () => {
    world.rail.answers = () => refused();
    const { id } = await world.pay(scene.client, scene.payee);
    await world.drive(id);
    world.rail.answers = null;
    const payout = await world.payout(id);
    await scene.isListed(payout);
    await scene.resolve(payout, 'paid');
    expect(await world.status(id)).toBe('paid');
    await scene.tells(payout, refused());
    await scene.resolve(payout, 'owed');
    expect(await world.status(id)).toBe('returned');
  });
});
