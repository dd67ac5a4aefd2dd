/** Rows whose money moved for a payout that a restored database has forgotten: an operator says that they were paid. */
import { GiveUpPayout } from '#libs/payouts';
import type { MoneyWorld } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows that another database paid', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test('are named once they are withdrawn again, wait, and are paid by word of an operator', async () => {
    const scene = await OwedScene.of(world, await world.client());
    const first = await scene.push(6_000);
    const [payout] = await scene.withdraw();
    if (!payout) throw new Error('Nothing left.');
    await world.db.execute(
      `INSERT INTO rail_movements (rail, rail_key, movement, currency, provider_ref, amount_cents, listed_at)
       VALUES ($1, $2, 'one', 'USD', 'one', 6000, now() - interval '3 days')`,
      [payout.provider, payout.railKey],
    );
    await world.drive(payout.id);
    expect(await world.status(payout.id)).toBe('held');
    await compare(world);
    expect(await scene.openDrift(payout)).toMatchObject([{ kind: 'not_paid_here', providerRef: 'one' }]);
    await world.get(GiveUpPayout).run(await world.payout(payout.id), null);
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
    expect(await scene.resolve(payout, 'paid')).toBe(1);
    expect(await scene.statuses(first)).toEqual(['paid']);
    expect(await scene.balance()).toEqual({ withdrawableCents: 0, landedCents: 6_000 });
    expect(world.rail.calls).toEqual([]);
  });
});
