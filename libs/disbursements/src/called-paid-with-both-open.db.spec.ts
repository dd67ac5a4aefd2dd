/**
 * Its rail settled what it had refused, took it back and has it out again, and nobody looked in between: two lines are open. An operator finds
 * it at its payee, calls it paid, and closes both. If its bank then sends it back, that is news: its payee has nothing, and nobody else will say so.
 */
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import type { Payout } from '#libs/payout-rules';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

const CAME_BACK: LookupFact = { kind: 'bounced', feeCents: 0 };

describe('money that was called paid while two differences were open', () => {
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

  const outBackOut = async (payout: Payout): Promise<void> => {
    for (const fact of [settled(), CAME_BACK, settled()]) await scene.tells(payout, fact as LookupFact);
    expect(await scene.openDrift(payout)).toHaveLength(2);
  };

  test('of rows, by the line that it came back: its next return is named', async () => {
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal('permanent');
    await outBackOut(payout);
    expect(await scene.resolve(payout, 'paid')).toBe(1);
    await scene.resolve(payout, 'owed'); // as the refusal of `paid` says
    expect(await scene.openDrift(payout)).toEqual([]);
    expect(await scene.balance()).toEqual({ withdrawableCents: 0, landedCents: 6_000 });
    await scene.tells(payout, CAME_BACK);
    expect(await scene.openDrift(payout)).toMatchObject([{ liftingFeeCents: 0 }]);
  });

  test('of rows, by the line that it is out, and the other one closed as paid too: its next return is named', async () => {
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal('permanent');
    await outBackOut(payout);
    const [back, out] = await scene.openDrift(payout);
    expect([back?.liftingFeeCents, out?.liftingFeeCents]).toEqual([0, null]);
    const only = (id?: string) => world.db.execute(`UPDATE drift SET resolved_at = NULL WHERE id = $1`, [id]);
    // Closed by the operator one after the other, what is out first.
    await world.db.execute(`UPDATE drift SET resolved_at = now() WHERE id = $1`, [back?.id]);
    expect(await scene.resolve(payout, 'paid')).toBe(1);
    await only(back?.id);
    expect(await scene.resolve(payout, 'paid')).toBe(0);
    expect(await scene.openDrift(payout)).toEqual([]);
    await scene.tells(payout, CAME_BACK);
    expect(await scene.openDrift(payout)).toMatchObject([{ liftingFeeCents: 0 }]);
  });

  test('of a caller, by the line that it came back: its next return is named', async () => {
    const payout = await world.pay(scene.client, scene.payee, 5_000);
    await scene.refuse(payout, 'permanent');
    await outBackOut(payout);
    await scene.resolve(payout, 'paid');
    await scene.resolve(payout, 'owed');
    expect(await scene.openDrift(payout)).toEqual([]);
    await scene.tells(payout, CAME_BACK);
    expect(await scene.openDrift(payout)).toMatchObject([{ liftingFeeCents: 0 }]);
  });
});
