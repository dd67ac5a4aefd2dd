/**
 * Orders that somebody approves while the balance is short fail one by one: the one that is paid at last is found all the same, and its
 * payee is led to it, also after as many as are looked through at once.
 */
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import type { GiftRail } from './gift-rail.rail';
import { giftRail } from './gift-rail';
import { tremendousWorld } from './gift-rail.world.fake';

describe('a payout of gift_rail whose orders failed', () => {
  it.each([20, 100])('%s times is told by its last order, and goes on', async (failures) => {
    const clock = new FixedClock();
    const store = memoryRailStores(clock)('gift_rail');
    const world = await tremendousWorld({ clock, store });
    const rail = giftRail.create({
      ...{ store, clock, log: new RecordingLog(), deployment: 'spec' },
      ...{ hint: async () => undefined, settings: world.settings },
    }) as GiftRail;
    try {
      const asked = testOrder(giftRail.traits, { currency: 'USD', amountCents: 1_005 });
      const { tremendous } = world;
      tremendous.reviews(asked.payee.email ?? '');
      const last = () => {
        const order = tremendous.ordersOf(asked.railKey).find(({ status }) => status === 'PENDING APPROVAL');
        if (!order) throw new Error('It was not sent.');
        return order;
      };
      for (let tries = 0; tries < failures; tries += 1) {
        tremendous.fund(0);
        await rail.submit(asked);
        tremendous.books.approve(last());
        const { kind } = await rail.lookup(asked);
        expect([tries, kind]).toEqual([tries, 'refused']);
      }
      tremendous.fund(100_000);
      await rail.submit(asked);
      tremendous.books.approve(last());
      expect(await rail.lookup(asked)).toMatchObject({ kind: 'awaiting_payee' });
      expect(await rail.payeeLink(asked)).toMatchObject({ kind: 'link' });
    } finally {
      await world.close?.();
    }
  });
});
