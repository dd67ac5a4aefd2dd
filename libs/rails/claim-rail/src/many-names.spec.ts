/**
 * PayPal denies a batch for lack of funds, and the service tries again by itself: nine times within the first six hours, and four times a
 * day from then on. Over a long weekend that comes to more names than a restored database goes through.
 */
import type { Rail, RailStore } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { claimRail } from './claim-rail';
import { paypalWorld } from './claim-rail.world.fake';

describe('a payout of claim_rail that PayPal denied for days', () => {
  it('is not called refused by a database that was restored, once it is paid', async () => {
    const clock = new FixedClock();
    const world = await paypalWorld(clock);
    const process = (store: RailStore): Rail =>
      claimRail.create({
        ...{ store, clock, log: new RecordingLog(), deployment: 'spec', hint: async () => undefined },
        settings: world.settings,
      });
    try {
      const asked = testOrder(claimRail.traits, { currency: 'USD', amountCents: 1_005 });
      world.paypal.register(asked.payee.email ?? '');
      const rail = process(memoryRailStores(clock)('claim_rail'));
      world.paypal.state.balances.USD = 1_000;
      // Five days.
      for (let tries = 0; tries < 9 + 4 * 5; tries += 1) {
        await rail.submit(asked);
        expect(await rail.lookup(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
        clock.advance(6 * 3_600);
      }
      world.paypal.state.balances.USD = 100_000;
      await rail.submit(asked);
      expect(await rail.lookup(asked)).toMatchObject({ kind: 'settled' });
      const restored = process(memoryRailStores(clock)('claim_rail'));
      // Called refused, its rows could leave under another code.
      expect((await restored.submit(asked)).kind).not.toBe('refused');
      expect(world.paypal.sentAs(asked.railKey).filter(({ status }) => status === 'SUCCESS')).toHaveLength(1);
    } finally {
      await world.close?.();
    }
  });
});
