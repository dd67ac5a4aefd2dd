/**
 * A restored database asks again for money that its rail lists as gone out and come back, and that nobody here sent. The list may be late with
 * what left once more: it waits for an operator, who sees why, and whose word frees it.
 */
import { randomUUID } from 'node:crypto';
import { systemClock } from '#libs/domain';
import { HELD_IN_DISPUTE, type Payout, railKeyOf } from '#libs/payout-rules';
import { CancelPayout, GiveUpPayout } from '#libs/payouts';
import { accepted, type MoneyWorld } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { codeOfRows, OwedScene, startOwedWorld } from '../testing/src';

describe('money that was pulled back before its database was restored', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
    await compare(world);
  });
  afterAll(() => world.stop());
  beforeEach(() => {
    world.rail.reset();
    world.rail.answers = () => accepted('again');
  });

  const line = (rail: string, railKey: string, direction: 'out' | 'back', providerRef: string) => ({
    ...{ rail, railKey, direction, providerRef, amountCents: 6_000, currency: 'USD', movedAt: systemClock.now() },
  });
  const isPulledBack = async (rail: string, railKey: string): Promise<void> => {
    world.rail.moved = [line(rail, railKey, 'out', 'one'), line(rail, railKey, 'back', 'one')];
    await compare(world);
  };
  const heldRows = async (rail: string): Promise<{ scene: OwedScene; held: Payout; row: string }> => {
    const scene = await OwedScene.of(world, await world.client());
    const row = await scene.push(6_000);
    const railKey = await codeOfRows(world, scene, row);
    await isPulledBack(rail, railKey);
    const [held] = (await scene.withdraw()) as [Payout];
    expect(held).toMatchObject({ railKey, status: 'held', statusReason: HELD_IN_DISPUTE });
    return { scene, held, row };
  };

  test('holds its rows, is named, and they leave under another code once an operator says that they are owed', async () => {
    const { scene, held } = await heldRows('custodial_a');
    await compare(world);
    expect(await scene.openDrift(held)).toMatchObject([{ kind: 'not_paid_here', railCents: 0, ourStatus: 'held' }]);
    await scene.resolve(held, 'owed');
    await compare(world);
    expect(await scene.openDrift(held)).toEqual([]);
    const [again] = (await scene.withdraw()) as [Payout];
    expect(again.railKey).not.toBe(held.railKey);
    await world.drive(again.id);
    expect(await world.status(again.id)).toBe('submitted');
  });

  test('is named in the same line once what left again is listed, and its rows count as paid if an operator says so', async () => {
    const { scene, held, row } = await heldRows('custodial_a');
    await compare(world);
    world.rail.moved = [...world.rail.moved, line('custodial_a', held.railKey, 'out', 'two')];
    await compare(world);
    expect(await scene.openDrift(held)).toMatchObject([{ kind: 'not_paid_here', railCents: 6_000 }]);
    await world.get(GiveUpPayout).run(held, 'it arrived');
    expect(await scene.resolve(held, 'paid')).toBe(1);
    expect(await scene.statuses(row)).toEqual(['paid']);
  });

  test.each(['custodial_a', 'claim_rail'])(
    'is named when its payout is given up, and keeps its rows until somebody says what became of it (%s)',
    async (rail) => {
      const { scene, held } = await heldRows(rail);
      await world.get(GiveUpPayout).run(held, 'looked at');
      expect(await scene.openDrift(held)).toMatchObject([{ rail, kind: 'not_paid_here', railCents: 0 }]);
      await scene.push(1_000);
      expect(await scene.outcome()).toEqual([1_000]);
      await scene.resolve(held, 'owed');
      expect(await scene.outcome()).toEqual([6_000]);
    },
  );

  test("holds a payout of the caller's own, and is named when its caller takes that back", async () => {
    const client = await world.client();
    const scene = await OwedScene.of(world, client);
    const key = randomUUID();
    await isPulledBack('custodial_a', railKeyOf('spec', client.id, key));
    const held = await world.pay(client, scene.payee, 6_000, key);
    expect(held).toMatchObject({ status: 'held', statusReason: HELD_IN_DISPUTE });
    await world.get(CancelPayout).run(held);
    expect(await scene.openDrift(held)).toMatchObject([{ kind: 'not_paid_here', railCents: 0 }]);
    expect(world.rail.calls).toEqual([]);
  });
});
