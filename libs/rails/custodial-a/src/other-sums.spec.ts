/** What Stripe shows of the payout to the bank counts as an answer only if it is of what was asked for, as with the transfer. */
import { randomUUID } from 'node:crypto';
import { FixedClock } from '#libs/rail-kit/testing';
import { stripeWorld } from './custodial-a.world.fake';
import { newOrder, openRail } from './open-rail.fake';

describe('custodial_a, when Stripe shows another sum than it was asked to pay out', () => {
  it.each([
    ['less', { units: 5 }],
    ['another currency', { currency: 'huf' }],
  ])('is not paid when the bank was sent %s', async (_, shown) => {
    const clock = new FixedClock();
    const world = await stripeWorld(clock);
    const rail = openRail(world, clock);
    const asked = newOrder();
    await rail.submit(asked);
    await rail.advance(asked, { name: 'payout', key: randomUUID(), firstSentAt: clock.now() });
    const [payout] = world.stripe.payoutsOf(asked.railKey);
    Object.assign(payout ?? {}, shown);
    const { kind } = await rail.lookup(asked);
    await world.close?.();
    expect(kind).toBe('unknown');
  });
});
