/**
 * An order failed, and Tremendous shows a second one under the same name, which was executed: nobody knows how, and its money went out. A payout
 * that failed is named by that (`contradicts`), not only kept.
 */
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { giftRail } from './gift-rail';
import type { GiftRail } from './gift-rail.rail';
import { tremendousWorld } from './gift-rail.world.fake';

it('gift_rail names money of a failed payout that lies under a second order of its name', async () => {
  const clock = new FixedClock();
  const store = memoryRailStores(clock)('gift_rail');
  const world = await tremendousWorld({ clock, store });
  const rail = giftRail.create({
    ...{ store, clock, log: new RecordingLog(), deployment: 'spec' },
    ...{ hint: async () => undefined, settings: world.settings },
  }) as GiftRail;
  const asked = testOrder(giftRail.traits, { currency: 'USD', amountCents: 1_005 });
  world.tremendous.reviews(asked.payee.email ?? '');
  world.tremendous.fund(0);
  await rail.submit(asked);
  const [first] = world.tremendous.ordersOf(asked.railKey);
  if (!first) throw new Error('It was not ordered.');
  world.tremendous.books.approve(first); // it fails
  expect(await rail.lookup(asked)).toMatchObject({ kind: 'refused' });
  clock.advance(700);
  const { orders } = world.tremendous.shown();
  const twin = structuredClone(first);
  Object.assign(twin, { id: 'TWIN12345678', status: 'EXECUTED', paid: { total: 1_005, fees: 0 } });
  orders.push(twin);
  expect(world.tremendous.ordersOf(asked.railKey)).toHaveLength(2);
  const told = await rail.lookup(asked, { signal: new AbortController().signal, movesNothing: 'at_rest' });
  expect({ ...told, isNews: told.kind !== 'unknown' || told.contradicts === true }).toMatchObject({ isNews: true });
  await world.close?.();
});
