/**
 * Rows left in legs: the bank did not take the money for now, and it was pulled back. Their rail lists that it went out, and that it came
 * back. Nothing differs, and nobody has anything to look into: the rows leave again with the next withdrawal.
 */
import { systemClock } from '#libs/domain';
import { DriftReads } from '#libs/drift';
import type { Payout } from '#libs/payout-rules';
import { GiveUpPayout, RemedyPayout } from '#libs/payouts';
import { accepted, type MoneyWorld, refused, settled, thenDo } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows whose money was pulled back, and is listed as gone out and come back', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
    await compare(world);
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  const pulledBack = async (): Promise<{ scene: OwedScene; first: Payout }> => {
    const scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
    world.rail.says({ first: thenDo('payout'), payout: refused() });
    const [{ id }] = (await scene.withdraw()) as [Payout];
    for (let turn = 0; turn < 2; turn += 1) await world.drive(id);
    const first = await world.payout(id);
    expect(first).toMatchObject({ status: 'failed', failureKind: 'transient', provider: 'custodial_a' });
    world.rail.knows.set(first.railKey, refused());
    const moved = { rail: 'custodial_a', railKey: first.railKey, amountCents: 6_000, currency: 'USD' };
    world.rail.moved = [
      { ...moved, providerRef: 'tr_1', movedAt: systemClock.now(), direction: 'out' },
      { ...moved, providerRef: 'tr_1', movedAt: systemClock.now(), direction: 'back' },
    ];
    await compare(world);
    const open = await world.get(DriftReads).list({ open: true }, null, 100);
    expect(open.filter(({ railKey }) => railKey === first.railKey)).toEqual([]);
    world.rail.calls.length = 0;
    world.rail.answers = () => accepted('again');
    return { scene, first };
  };

  test('leave again with the next withdrawal', async () => {
    const { scene } = await pulledBack();
    const [{ id }] = (await scene.withdraw()) as [Payout];
    if ((await world.status(id)) === 'authorized') await world.drive(id);
    expect(await world.payout(id)).toMatchObject({ status: 'submitted', statusReason: null });
  });

  test('and are paid then, with nothing in dispute, however late that is listed', async () => {
    const { scene, first } = await pulledBack();
    const [{ id }] = (await scene.withdraw()) as [Payout];
    await world.drive(id);
    await world.db.execute(`UPDATE rail_movements SET listed_at = listed_at - interval '1 hour'`);
    await scene.tells(await world.payout(id), settled('again'));
    expect(await world.status(id)).toBe('paid');
    await compare(world);
    const movement = { railKey: first.railKey, providerRef: 'again', movedAt: systemClock.now() };
    world.rail.moved = [...world.rail.moved, { ...movement, rail: 'custodial_a', amountCents: 6_000, currency: 'USD' }];
    await compare(world);
    const open = await world.get(DriftReads).list({ open: true }, null, 100);
    expect(open.filter(({ railKey }) => railKey === first.railKey)).toEqual([]);
  });

  test('leave again at least once an operator has looked: by a release, or failed and withdrawn once more', async () => {
    const { scene } = await pulledBack();
    const [{ id }] = (await scene.withdraw()) as [Payout];
    const released = await world
      .get(RemedyPayout)
      .release(await world.payout(id), 'operator')
      .catch(() => world.payout(id));
    if (released.status === 'authorized') await world.drive(id);
    if ((await world.status(id)) === 'submitted') return;
    const giving = world.get(GiveUpPayout);
    await giving.run(released, 'nothing arrived', true, null);
    const [again] = (await scene.withdraw()) as [Payout];
    if (again.status === 'authorized') await world.drive(again.id);
    expect(await world.payout(again.id)).toMatchObject({ status: 'submitted', statusReason: null });
  });
});
