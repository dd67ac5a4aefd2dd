/**
 * Rows wait on a payout that is held, under the code of one that was refused. Their client cancels it, and to the question their rail says
 * that it has moved that money: it is not cancelled, and what was heard is named, for nobody asks about it any more.
 */
import type { Payout } from '#libs/payout-rules';
import { CancelPayout } from '#libs/payouts';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('a cancel that hears of money that an earlier payout of the rows moved', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test('is refused, and the difference is named', async () => {
    world.rail.reset();
    const scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
    const first = await scene.refusedWithdrawal();
    world.rail.knows.set(first.railKey, refused());
    const [again] = (await scene.withdraw()) as [Payout];
    await world.db.execute('UPDATE payees SET blocked = true WHERE id = $1', [scene.payee.id]);
    await world.drive(again.id);
    expect(await world.payout(again.id)).toMatchObject({ status: 'held', railKey: first.railKey, submittedAt: null });

    world.rail.knows.set(first.railKey, settled());
    const cancelling = world.get(CancelPayout).run(await world.payout(again.id));
    await expect(cancelling).rejects.toMatchObject({ code: 'payout_not_cancellable' });
    expect(await scene.openDrift(first)).toHaveLength(1);
  });
});
