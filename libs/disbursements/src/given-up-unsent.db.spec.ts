/**
 * A restored database asks again for money that its rail moved before, and holds it. Giving that payout up decides nothing about
 * the money: its rows wait until somebody says what became of it, also if they would leave with others, under another code.
 */
import { randomUUID } from 'node:crypto';
import { systemClock } from '#libs/domain';
import type { Payout } from '#libs/payout-rules';
import { ChangePayout, GiveUpPayout } from '#libs/payouts';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('a payout that was held for money that moved before, and is given up', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  /** The rail lists what it paid for a row, and no payout here knows of it: the row, pushed again, is held. */
  const heldAgain = async (country: string): Promise<{ scene: OwedScene; held: Payout; row: string }> => {
    world.rail.reset();
    const client = await world.client();
    const scene = await OwedScene.of(world, client, country);
    const row = await scene.push(6_000, `row-${randomUUID()}`);
    const [before] = (await scene.withdraw()) as [Payout];
    const { railKey } = before;
    const moved = { rail: before.provider ?? '', railKey, providerRef: 'before' };
    world.rail.moved = [{ ...moved, amountCents: 6_000, currency: 'USD', movedAt: systemClock.now() }];
    // As in a backup from before that withdrawal.
    await world.get(ChangePayout).giveUp([before.id], 'known to another database only');
    await world.db.execute(`UPDATE disbursements SET transaction_id = NULL, earlier = '{}' WHERE id = $1`, [row]);
    await world.db.execute(`UPDATE payouts SET rail_key = 'other-' || id WHERE id = $1`, [before.id]);
    await compare(world);
    const [held] = (await scene.withdraw()) as [Payout];
    expect(held).toMatchObject({ railKey, status: 'held', submittedAt: null });
    return { scene, held, row };
  };

  test('keeps its rows, also if they would leave with others', async () => {
    const { scene, held } = await heldAgain('FR');
    await world.get(GiveUpPayout).run(held, 'looked at');
    await scene.push(1_000);
    world.rail.answers = () => settled('again');
    expect(await scene.outcome()).toEqual([1_000]);
  });

  test('is named though its rail lists nothing: it is asked, and its rows wait', async () => {
    world.rail.reset();
    const scene = await OwedScene.of(world, await world.client());
    const row = await scene.push(6_000);
    const [unsent] = (await scene.withdraw()) as [Payout];
    await world.db.execute(`UPDATE payouts SET status = 'held', status_reason = 'not_payable' WHERE id = $1`, [
      unsent.id,
    ]);
    world.rail.knows.set(unsent.railKey, settled('before'));
    const giving = world.get(GiveUpPayout);
    const said = await giving.ask(await world.payout(unsent.id));
    await giving.run(unsent, 'looked at', false, said);
    await scene.push(1_000);
    expect(await scene.outcome()).toEqual([1_000]);
    expect(await scene.openDrift(unsent)).toMatchObject([{ kind: 'not_paid_here', railCents: 6_000 }]);
    expect(await scene.resolve(unsent, 'paid')).toBe(1);
    expect(await scene.statuses(row)).toEqual(['paid']);
  });

  test('is named as a difference, by which an operator calls its rows paid', async () => {
    const { scene, held, row } = await heldAgain('FR');
    await world.get(GiveUpPayout).run(held, 'looked at');
    expect(await scene.openDrift(held)).toMatchObject([{ kind: 'not_paid_here', railCents: 6_000 }]);
    expect(await scene.resolve(held, 'paid')).toBe(1);
    expect(await scene.statuses(row)).toEqual(['paid']);
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
  });

  test('pays its rows with others once an operator calls them owed', async () => {
    const { scene, held } = await heldAgain('FR');
    await world.get(GiveUpPayout).run(held, 'looked at');
    await scene.push(1_000);
    await scene.resolve(held, 'owed');
    expect(await scene.outcome()).toEqual([7_000]);
  });
});
