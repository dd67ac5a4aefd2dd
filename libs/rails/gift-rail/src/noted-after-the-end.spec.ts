/** A link was made of an order, which is cancelled and called refused before anybody says that the link is handed on. */
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { giftRail } from './gift-rail';
import type { GiftRail } from './gift-rail.rail';
import { tremendousWorld } from './gift-rail.world.fake';

it('an order of gift_rail that was called refused does not come back because a link to it was handed on later', async () => {
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
    const link = await rail.payeeLink(asked);
    world.tremendous.ordersOf(asked.railKey).forEach((order) => world.tremendous.books.cancel(order, 105));
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'refused', failure: 'expired' });
    await rail.handedOver(asked, (link as { of: string }).of).catch(() => undefined);
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'refused', failure: 'expired' });
  } finally {
    await world.close?.();
  }
});
