/** Two orders failed, and both are executed after all: whoever was led to the one is led to no other. */
import type { RailCall, RailOrder } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import type { TremendousOrder } from '../testing/src';
import { giftRail } from './gift-rail';
import type { GiftRail } from './gift-rail.rail';
import { tremendousWorld } from './gift-rail.world.fake';

const AT_REST: RailCall = { signal: new AbortController().signal, movesNothing: 'at_rest' };

describe('gift_rail, of two orders that are executed after they failed', () => {
  const clock = new FixedClock();
  let world: Awaited<ReturnType<typeof tremendousWorld>>;
  let rail: GiftRail;
  let asked: RailOrder;

  beforeEach(async () => {
    const store = memoryRailStores(clock)('gift_rail');
    world = await tremendousWorld({ clock, store });
    rail = giftRail.create({
      ...{ store, clock, log: new RecordingLog(), deployment: 'spec' },
      ...{ hint: async () => undefined, settings: world.settings },
    }) as GiftRail;
    asked = testOrder(giftRail.traits, { currency: 'USD', amountCents: 1_005 });
    world.tremendous.reviews(asked.payee.email ?? '');
  });
  afterEach(() => world.close?.());

  const orders = (): TremendousOrder[] => world.tremendous.ordersOf(asked.railKey);
  const failed = async (): Promise<void> => {
    world.tremendous.fund(0);
    await rail.submit(asked);
    for (const order of orders().filter((each) => each.status === 'PENDING APPROVAL'))
      world.tremendous.books.approve(order);
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'refused' });
    clock.advance(700);
  };

  it('leads nobody to the second once they were led to the first', async () => {
    await failed();
    await failed();
    const [one, two] = [asked.railKey, `${asked.railKey}:2`].map((name) =>
      orders().find(({ externalId }) => externalId === name),
    );
    Object.assign(one ?? {}, { status: 'EXECUTED', paid: { total: 1_005, fees: 0 } });
    expect(await rail.lookup(asked, AT_REST)).toMatchObject({ kind: 'awaiting_payee' });
    const link = await rail.payeeLink(asked);
    if (link.kind !== 'link') throw new Error('none');
    await rail.handedOver(asked, link.of);
    Object.assign(two ?? {}, { status: 'EXECUTED', paid: { total: 1_005, fees: 0 } });
    const again = await rail.payeeLink(asked);
    expect(again.kind === 'link' ? again.of : null).toBe(link.of);
  });
});
