/** Tremendous answers the call for a link with that of another reward than was asked for: whoever has it has that money. */
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { giftRail } from './gift-rail';
import type { GiftRail } from './gift-rail.rail';
import { tremendousWorld } from './gift-rail.world.fake';

describe('gift_rail, when Tremendous makes a link to another reward than was asked for', () => {
  it('leads nobody there', async () => {
    const clock = new FixedClock();
    const store = memoryRailStores(clock)('gift_rail');
    const world = await tremendousWorld({ clock, store });
    try {
      const rail = giftRail.create({
        ...{ store, clock, log: new RecordingLog(), deployment: 'spec', settings: world.settings },
        hint: async () => undefined,
      }) as GiftRail;
      const asked = testOrder(giftRail.traits, { currency: 'USD', amountCents: 1_005 });
      await rail.submit(asked);
      const reward = { id: 'REWARDOFANOTHER', link: 'https://testflight.tremendous.example/rewards/payout/of-another' };
      const match = { method: 'POST', path: '/api/v2/rewards/' };
      world.tremendous.faults.ask({ effect: 'answer', match, answer: { status: 200, body: { reward } } });
      expect((await rail.payeeLink(asked)).kind).not.toBe('link');
    } finally {
      await Promise.resolve(world.close?.()).catch(() => undefined);
    }
  });
});
