/**
 * Rows were paid, came back, and were out again; an operator found that money at its payee, and called them paid. Then their rail calls it refused, or
 * asks for it to be pulled back: its payee has nothing. Somebody hears of that, as of what failed and was called paid.
 */
import type { Payout } from '#libs/payout-rules';
import { AskRail } from '#libs/payouts';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { compare } from '#libs/reconciliation/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

const BACK: LookupFact = { kind: 'bounced', feeCents: 0 };
const toBePulledBack = (providerRef: string): LookupFact => ({
  ...{ kind: 'accepted', providerRef },
  next: { leg: 'pull_back' },
});

describe('rows that were called paid, and that their payee does not have by what their rail says now', () => {
  let world: MoneyWorld;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
  });

  const cameBack = async (): Promise<Payout> => {
    const [payout] = (await scene.withdraw()) as [Payout];
    world.rail.answers = () => settled();
    await world.drive(payout.id);
    world.rail.answers = null;
    await scene.tells(payout, BACK);
    return world.payout(payout.id);
  };
  const outAgain = async (status: string): Promise<Payout> => {
    const payout = status === 'failed' ? await scene.refusedWithdrawal('permanent') : await cameBack();
    await scene.tells(payout, settled('two') as LookupFact);
    expect(await world.status(payout.id)).toBe(status);
    return world.payout(payout.id);
  };
  const calledPaid = async (status = 'returned'): Promise<Payout> => {
    const payout = await outAgain(status);
    expect(await scene.resolve(payout, 'paid')).toBe(1);
    await isPaidHere(payout);
    return payout;
  };
  const isPaidHere = async (payout: Payout): Promise<void> => {
    expect(await scene.openDrift(payout)).toEqual([]);
    expect([await scene.balance(), await scene.outcome()]).toMatchObject([
      { landedCents: 6_000, withdrawableCents: 0 },
      'nothing_to_withdraw',
    ]);
  };

  describe.each<[string, LookupFact, number | null]>([
    ['refused', refused('permanent') as LookupFact, null],
    ['to be pulled back', toBePulledBack('two'), 0],
    ['to be pulled back under their first reference', toBePulledBack('ref'), 0],
  ])('are %s', (_, fact, railCents) => {
    test.each(['failed', 'returned'])('and %s: it is named until somebody closes that, and once', async (status) => {
      const payout = await calledPaid(status);
      await scene.tells(payout, fact);
      await compare(world);
      expect(await scene.openDrift(payout)).toMatchObject([
        { kind: 'amount_differs', railCents, liftingFeeCents: null },
      ]);
      await scene.resolve(payout, 'owed');
      await scene.tells(payout, fact);
      await isPaidHere(payout);
    });

    test('and returned: it stays named although its rail lists what it paid first, and that this came back', async () => {
      const payout = await calledPaid();
      const { railKey, provider, amountCents } = payout;
      const first = { rail: provider ?? '', railKey, providerRef: 'ref', amountCents, currency: 'USD' };
      world.rail.moved = [
        { ...first, movedAt: payout.createdAt },
        { ...first, movedAt: payout.updatedAt, direction: 'back' },
      ];
      await scene.tells(payout, fact);
      await compare(world);
      expect(await scene.openDrift(payout)).toMatchObject([{ railCents }]);
    });

    test.each(['open', 'closed'])('and returned, and their bank sends them back while that is %s', async (state) => {
      const payout = await calledPaid();
      await scene.tells(payout, fact);
      if (state === 'closed') await scene.resolve(payout, 'owed');
      for (let time = 0; time < 2; time += 1) await scene.tells(payout, BACK);
      expect(await scene.openDrift(payout)).toMatchObject([{ liftingFeeCents: 0 }]);
      expect(await scene.resolve(payout, 'owed')).toBe(1);
      await scene.tells(payout, BACK);
      expect([await scene.openDrift(payout), await scene.outcome()]).toEqual([[], [6_000]]);
    });
  });

  test.each(['failed', 'returned'])('an answer from before they were called paid is no news (%s)', async (status) => {
    const payout = await outAgain(status);
    await scene.resolve(payout, 'paid');
    await world.get(AskRail).apply(payout, refused('permanent') as LookupFact);
    await isPaidHere(payout);
  });

  test('are called paid although their rail says that they came back: what it repeats is no news', async () => {
    const payout = await outAgain('returned');
    await scene.tells(payout, BACK);
    expect(await scene.resolve(payout, 'paid')).toBe(1);
    await scene.tells(payout, BACK);
    await isPaidHere(payout);
  });

  test('are owed again once an operator says so, and what is refused then is not named', async () => {
    const payout = await calledPaid();
    await scene.tells(payout, BACK);
    expect(await scene.resolve(payout, 'owed')).toBe(1);
    await scene.tells(payout, refused('permanent') as LookupFact);
    expect([await scene.openDrift(payout), await scene.outcome()]).toEqual([[], [6_000]]);
  });
});
