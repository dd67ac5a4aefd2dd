/** Stripe had no funds for a payout in the time that a restored database lost, and its caller sends it again. */
import { randomUUID } from 'node:crypto';
import { FixedClock } from '#libs/rail-kit/testing';
import { stripeWorld } from './custodial-a.world.fake';
import { newOrder, openRail } from './open-rail.fake';

describe('custodial_a, asked once more for what a restored database has forgotten', () => {
  /** It has the code of before, and another id of ours. */
  it('hears what Stripe says of it, though Stripe turned it away before', async () => {
    const clock = new FixedClock();
    const world = await stripeWorld(clock);
    try {
      const asked = newOrder();
      world.holds?.({ currency: 'EUR', availableCents: 0, pendingCents: 0 });
      expect(await openRail(world, clock).submit(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
      world.holds?.({ currency: 'EUR', availableCents: 1_000_000, pendingCents: 0 });
      clock.advance(700);
      const restored = openRail(world, clock);
      const again = { ...asked, payoutId: randomUUID() };
      // That it was refused once is an answer too: it is tried again under the next key.
      const told = await restored.submit(again);
      expect(told).not.toMatchObject({ kind: 'unknown' });
    } finally {
      await world.close?.();
    }
  });
});
