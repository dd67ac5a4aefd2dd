/** Stripe says that there is more, and lists nothing: what was listed so far is not all that there is. */
import { FixedClock } from '#libs/rail-kit/testing';
import { stripeWorld } from './custodial-a.world.fake';
import { openRail } from './open-rail.fake';

describe('custodial_a, of a list of transfers that goes on', () => {
  it('does not take an empty page that others follow for its end', async () => {
    const clock = new FixedClock();
    const world = await stripeWorld(clock);
    const rail = openRail(world, clock);
    try {
      const body = { object: 'list', url: '/v1/transfers', data: [], has_more: true };
      world.stripe.faults.ask({
        ...{ effect: 'answer', match: { method: 'GET', path: '/v1/transfers' }, answer: { status: 200, body } },
      });
      const all = async (): Promise<void> => {
        for await (const page of rail.movements(new Date(clock.now().getTime() - 60_000))) void page;
      };
      await expect(all()).rejects.toThrow();
    } finally {
      await world.close?.();
    }
  });
});
