/**
 * An operator called rows paid whose money had moved in legs, and their bank sent it back: it lies in their payee's account at the provider. What the
 * rail lists is the transfer to that account alone, which nobody took back: the list of the next minute looks as if all were well.
 */
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, thenDo } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('money that lies in the account of its payee, and that its rail lists as moved', () => {
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

  const open = async (payout: Payout): Promise<string[]> =>
    (await scene.openDrift(payout)).map(({ kind, railCents }) => `${kind} ${railCents}`);

  test('stays named until somebody decides about it', async () => {
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal();
    await scene.isListed(payout);
    expect(await scene.resolve(payout, 'paid')).toBe(1);
    expect([await world.status(payout.id), await open(payout)]).toEqual(['paid', []]);
    await scene.tells(payout, thenDo('pull_back'));
    expect(await open(payout)).toEqual(['amount_differs 0']);
    // The schedule of the next minute.
    await compare(world);
    expect(await open(payout)).toEqual(['amount_differs 0']);
  });
});
