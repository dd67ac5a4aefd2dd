/** A payout in legs begins them again, under other keys, while the transfer of before lives, and Stripe does not list its payout yet. */
import { randomUUID } from 'node:crypto';
import type { SubmitAnswer } from '#libs/rail-kit';
import { FixedClock } from '#libs/rail-kit/testing';
import { stripeWorld } from './custodial-a.world.fake';
import { newOrder, openRail } from './open-rail.fake';

describe('custodial_a, whose list of payouts lags', () => {
  it('pays one transfer out once, whichever round of the core asks for it', async () => {
    const clock = new FixedClock();
    const world = await stripeWorld(clock);
    try {
      const rail = openRail(world, clock);
      const [asked, other] = [newOrder(), newOrder()];
      // Money of another payout lies in the same account.
      await rail.submit(other);
      await rail.submit(asked);
      await rail.lookup(asked);
      const payOut = (): Promise<SubmitAnswer> =>
        rail.advance(asked, { name: 'payout', key: randomUUID(), firstSentAt: clock.now() });
      world.stripe.faults.ask({ effect: 'cut_after', match: { method: 'POST', path: '/v1/payouts' } });
      expect(await payOut()).toMatchObject({ kind: 'unknown' });
      expect(world.stripe.payoutsOf(asked.railKey)).toHaveLength(1);
      world.stripe.faults.ask({ effect: 'stale_read', match: { method: 'GET', path: '/v1/payouts' }, times: 5 });
      await payOut();
      world.stripe.faults.clear();
      expect(world.stripe.payoutsOf(asked.railKey)).toHaveLength(1);
    } finally {
      await world.close?.();
    }
  });
});
