/** What Tremendous lists may lag behind what it answered: an order that it took is not refused for the one before it. */
import type { Rail } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { giftRail } from './gift-rail';
import { tremendousWorld } from './gift-rail.world.fake';

const AT_REST = { signal: new AbortController().signal, movesNothing: 'at_rest' } as const;

describe('gift_rail, while what Tremendous lists lags behind what it answered', () => {
  it.each([
    ['under way', undefined],
    ['at rest', AT_REST],
  ])('does not call an order refused for the one before it: %s', async (_, call) => {
    const clock = new FixedClock();
    const store = memoryRailStores(clock)('gift_rail');
    const world = await tremendousWorld({ clock, store });
    const rail: Rail = giftRail.create({
      ...{ store, clock, log: new RecordingLog(), deployment: 'spec' },
      ...{ hint: async () => undefined, settings: world.settings },
    });
    const { tremendous } = world;
    const asked = testOrder(giftRail.traits, { currency: 'USD', amountCents: 1_005 });
    tremendous.reviews(asked.payee.email ?? '');
    await rail.submit(asked);
    const [first] = tremendous.ordersOf(asked.railKey);
    if (!first) throw new Error('It was not sent.');
    tremendous.fund(0);
    tremendous.books.approve(first);
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
    tremendous.fund(100_000);
    const taken = await rail.submit(asked);
    expect(taken.kind).toBe('accepted');
    // The second order is there, and in no list yet.
    const { orders } = tremendous.state;
    const [second] = orders.splice(-1);
    const said = await rail.lookup(asked, call);
    if (second) orders.push(second);
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'accepted' });
    await world.close?.();
    expect(said.kind).not.toBe('refused');
  });
});
