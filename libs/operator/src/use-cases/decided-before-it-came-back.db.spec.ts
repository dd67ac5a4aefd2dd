/**
 * A rail lists that a paid payout came back before its look-ups say so: a difference, which an operator closes. Then the rail says that it came back. The
 * decision was about that, and not about money that was out again: once the rail has been silent for ten days the rows leave, as those of any return do
 * (ADR 29: "they stay owed as well, but for ten days at most: a rail may be silent for good, and the money is the payee's").
 */
import { OwedScene, startOwedWorld } from '#libs/disbursements/testing';
import { systemClock } from '#libs/domain';
import { type MoneyWorld, settled, timePasses } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import type { LookupFact } from '#libs/rail-kit';
import { operateDriftIn } from './operate-drift.fake';

describe('what an operator decided about before it came back', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test.each([
    ['custodial_a', 'FR', false],
    ['custodial_a', 'FR', true],
    ['claim_rail', 'DE', false],
    ['claim_rail', 'DE', true],
  ])('leaves after ten days of silence (%s, %s, decided: %s)', async (_, country, isDecided) => {
    world.rail.reset();
    const scene = await OwedScene.of(world, await world.client(), country);
    await scene.push(6_000);
    world.rail.answers = () => settled('one');
    const first = await scene.sent();
    expect(first.status).toBe('paid');
    world.rail.knows.set(first.railKey, settled('one') as LookupFact);
    const { railKey, provider } = first;
    const line = (direction: 'out' | 'back') => ({
      ...{ rail: provider ?? '', railKey, providerRef: 'one', amountCents: 6_000, currency: 'USD' },
      ...{ movedAt: systemClock.now(), direction },
    });
    world.rail.moved = [line('out'), line('back')];
    await compare(world);
    await world.db.execute(`UPDATE rail_movements SET listed_at = listed_at - interval '6 minutes'`);
    await compare(world);
    const open = await scene.openDrift(first);
    expect(open.map(({ liftingFeeCents }) => liftingFeeCents)).toHaveLength(1);
    if (isDecided) {
      await operateDriftIn(world).resolve('ada', (open[0] as { id: string }).id, {
        ...{ note: null, rows: 'owed', neverSeen: false },
      });
    }
    await scene.tells(first, { kind: 'bounced', feeCents: 0 });
    await compare(world);
    expect([await world.status(first.id), await scene.openDrift(first)]).toEqual(['returned', []]);
    world.rail.knows.set(first.railKey, { kind: 'unknown', detail: 'no answer' });
    await timePasses(world, first.id, 11 * 86_400);
    world.rail.answers = () => settled('once more');
    expect(await scene.outcome()).toEqual([6_000]);
  });
});
