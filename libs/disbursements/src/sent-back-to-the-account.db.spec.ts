/**
 * An operator called rows paid whose money had moved in legs, as after a restore. If their bank sends it back, it lies in their payee's account at the
 * provider: its rail says that it is to be pulled back, and tells of a bounce only once it is.
 */
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, settled, thenDo } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('money in legs that an operator called paid, and that its bank sent back', () => {
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

  /** As somebody found out who asked at the provider. */
  const calledPaid = async (failure?: 'permanent'): Promise<Payout> => {
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal(failure);
    if (failure) await scene.tells(payout, settled());
    else await scene.isListed(payout);
    expect(await scene.resolve(payout, 'paid')).toBe(1);
    expect(await scene.openDrift(payout)).toEqual([]);
    return payout;
  };

  test.each<[string, 'permanent' | undefined, string]>([
    ['for good', 'permanent', 'failed'],
    ['for now', undefined, 'paid'],
  ])(
    'is named, and not pulled back: it may have been paid out by hand (it had failed %s)',
    async (_, failure, status) => {
      const payout = await calledPaid(failure);
      expect(await world.status(payout.id)).toBe(status);
      await scene.tells(payout, thenDo('pull_back'));
      expect(await scene.openDrift(payout)).toMatchObject([
        { kind: 'amount_differs', railCents: 0, liftingFeeCents: null },
      ]);
      expect(world.rail.calls.some(({ leg }) => leg !== null)).toBe(false);
      // Somebody pulls it back there.
      await scene.tells(payout, { kind: 'bounced', feeCents: 100 });
      if (failure) expect(await scene.openDrift(payout)).toMatchObject([{ liftingFeeCents: 100 }]);
      else expect(await world.status(payout.id)).toBe('returned');
    },
  );

  test('stays named until somebody decides about it, although its rail lists the transfer to that account', async () => {
    const payout = await calledPaid();
    await scene.tells(payout, thenDo('pull_back'));
    // The schedule of the next minute.
    await compare(world);
    expect(await scene.openDrift(payout)).toMatchObject([{ kind: 'amount_differs', railCents: 0 }]);
  });

  test('takes no call that its rail still asks for: it may have been paid out by hand', async () => {
    await scene.push(6_000);
    world.rail.says({ first: thenDo('payout', 600) });
    const [{ id }] = (await scene.withdraw()) as [Payout];
    await world.drive(id);
    const payout = await world.payout(id);
    expect(payout).toMatchObject({ status: 'submitted', acceptedAttempt: 1 });
    // Its rail lists it under another name: somebody has to look, and meanwhile no call is made.
    await scene.isListed(payout, 'another');
    expect(await scene.resolve(payout, 'paid')).toBe(1);
    world.rail.says({ first: thenDo('payout'), payout: settled() });
    await scene.tells(payout, thenDo('payout'));
    expect(await scene.openDrift(payout)).toMatchObject([{ kind: 'amount_differs', railCents: 0 }]);
    await world.drive(id).catch(() => null); // without a call to make it has no job
    expect(world.rail.callsOf(id)).toEqual(['first']);
  });
});
