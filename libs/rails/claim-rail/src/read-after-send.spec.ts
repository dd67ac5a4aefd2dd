/** PayPal knows the name that it is sent, and wants to be left alone when it is asked for the batch that it has under it. */
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { claimRail } from './claim-rail';
import { paypalWorld } from './claim-rail.world.fake';

describe('a batch of claim_rail that PayPal had already', () => {
  it('is not told as one that was not sent, because the question after it is put off', async () => {
    const clock = new FixedClock();
    const world = await paypalWorld(clock);
    try {
      const rail = claimRail.create({
        ...{ store: memoryRailStores(clock)('claim_rail'), clock, log: new RecordingLog(), deployment: 'spec' },
        ...{ hint: async () => undefined, settings: world.settings },
      });
      const asked = testOrder(claimRail.traits, { currency: 'USD', amountCents: 1_005 });
      const { faults } = world.paypal;
      faults.ask({ effect: 'cut_after', match: { method: 'POST', path: '/v1/payments/payouts' } });
      expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
      faults.ask({ effect: 'too_many', match: { method: 'GET', path: '/v1/payments/payouts/' }, seconds: 60 });
      expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
      expect(await rail.submit(asked)).toMatchObject({ kind: 'awaiting_payee' });
      expect(world.paypal.sentAs(asked.railKey)).toHaveLength(1);
    } finally {
      await world.close?.();
    }
  });
});
