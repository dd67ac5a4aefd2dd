/**
 * Rows left in legs, were paid, and came back: the list has that out and back, under the payout's own reference. Then it has money of the payout as
 * out once more, under another reference, and the rail cannot be asked about it now. The rows do not leave beside it.
 */
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, settled, thenDo } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { compare } from '#libs/reconciliation/testing';
import { movementOf, OwedScene, startOwedWorld } from '../testing/src';

describe('rows that came back in legs, and are listed as out once more', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
    await compare(world);
  });
  afterAll(() => world.stop());

  /** Paid, and came back, by the rail's word and by its list; then it is listed as out once more, and the rail tells nothing. */
  const outOnceMore = async (how: string): Promise<[OwedScene, Payout]> => {
    world.rail.reset();
    const scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
    world.rail.says({ first: how === 'in legs' ? thenDo('payout') : settled(), payout: settled() });
    const [{ id }] = (await scene.withdraw()) as [Payout];
    await world.drive(id);
    if (how === 'in legs') await world.drive(id);
    const payout = await world.payout(id);
    expect([payout.status, payout.providerRef]).toEqual(['paid', 'ref']);

    world.rail.moved = [movementOf(payout, 'out', 'ref'), movementOf(payout, 'back', 'ref')];
    await scene.tells(payout, { kind: 'bounced', feeCents: 0 });
    await compare(world);
    expect([await world.status(id), await scene.openDrift(payout)]).toEqual(['returned', []]);

    world.rail.moved = [...world.rail.moved, movementOf(payout, 'out', 'two')];
    world.rail.knows.set(payout.railKey, { kind: 'unknown', detail: 'no answer' } as LookupFact);
    await compare(world);
    return [scene, payout];
  };

  test.each(['in one call', 'in legs'])('stay while their rail is silent: %s', async (how) => {
    const [scene] = await outOnceMore(how);
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
    expect(world.rail.calls).toHaveLength(how === 'in legs' ? 2 : 1);
  });

  test('stay while their rail is silent, also once that is listed as come back, as an earlier call is', async () => {
    const [scene, payout] = await outOnceMore('in legs');
    world.rail.moved = [...world.rail.moved, movementOf(payout, 'back', 'two')];
    await compare(world);
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
    world.rail.knows.set(payout.railKey, { kind: 'bounced', feeCents: 0 });
    expect(await scene.outcome()).toEqual([6_000]);
  });

  test('leave once their rail says that it came back', async () => {
    const [scene, payout] = await outOnceMore('in legs');
    world.rail.knows.set(payout.railKey, { kind: 'bounced', feeCents: 0 });
    expect(await scene.outcome()).toEqual([6_000]);
  });
});
