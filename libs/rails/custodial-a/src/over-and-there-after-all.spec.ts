/** A try was over, the answer to the next one is lost, and Stripe shows the transfer of the first one as good after all. */
import { randomUUID } from 'node:crypto';
import { FixedClock } from '#libs/rail-kit/testing';
import { stripeWorld } from './custodial-a.world.fake';
import { newOrder, openRail } from './open-rail.fake';

const SEND = { method: 'POST', path: '/v1/transfers' };
const IN_DOUBT_SECONDS = 600;

describe('custodial_a, when a transfer that was taken back is there after all', () => {
  it('waits while Stripe may not list the next one yet, and goes on with the first one then', async () => {
    const clock = new FixedClock();
    const world = await stripeWorld(clock);
    const rail = openRail(world, clock);
    const asked = newOrder();
    const leg = (name: string) => rail.advance(asked, { name, key: randomUUID(), firstSentAt: clock.now() });
    try {
      await rail.submit(asked);
      world.stripe.destines(asked.railKey, 'could_not_process');
      await leg('payout');
      expect(await leg('pull_back')).toMatchObject({ kind: 'refused', failure: 'transient' });
      world.stripe.faults.ask({ effect: 'cut_before', match: SEND });
      expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
      Object.assign(world.stripe.transfersOf(asked.railKey)[0] ?? {}, { reversedUnits: 0 });
      expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
      expect(await leg('pull_back')).toMatchObject({ kind: 'unknown' });
      clock.advance(IN_DOUBT_SECONDS);
      const said = await rail.lookup(asked);
      expect(said).toMatchObject({ kind: 'accepted', next: { leg: 'pull_back' } });
      expect(await rail.submit(asked)).toEqual(said);
      expect(world.stripe.transfersOf(asked.railKey)).toHaveLength(1);
    } finally {
      await world.close?.();
    }
  });
});
