/**
 * Stripe turned two transfers of a payout away, it failed, and both are there after all. A payout that failed is named by what `contradicts` itself,
 * by a sum or by money, and by nothing else (ADR 130; the same of swap_rail: `paid-twice.spec`).
 */
import { FixedClock } from '#libs/rail-kit/testing';
import { PAYEE, stripeWorld } from './custodial-a.world.fake';
import { newOrder, openRail } from './open-rail.fake';

const AT_REST = { signal: new AbortController().signal, movesNothing: 'at_rest' } as const;

it('custodial_a names the money of a payout that failed, if two of its transfers are there after all', async () => {
  const clock = new FixedClock();
  const world = await stripeWorld(clock);
  const rail = openRail(world, clock);
  const asked = newOrder();
  try {
    world.stripe.fund('eur', 0);
    for (let nth = 0; nth < 2; nth += 1) {
      expect(await rail.submit(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
      clock.advance(3_600);
    }
    const form = { currency: 'eur', group: asked.railKey, destination: PAYEE, units: 1_005, reversedUnits: 0 };
    for (const nth of ['1', '2'])
      world.stripe.shown().transfers.push({
        ...{ ...form, id: `tr_afterall${nth}`, createdAt: clock.now().toISOString() },
        metadata: { rail_key: asked.railKey, deployment: 'spec', try: nth },
      });
    expect(world.stripe.transfersOf(asked.railKey)).toHaveLength(2);
    const told = await rail.lookup(asked, AT_REST);
    expect({ ...told, isNews: told.kind !== 'unknown' || told.contradicts === true }).toMatchObject({ isNews: true });
  } finally {
    await world.close?.();
  }
});
