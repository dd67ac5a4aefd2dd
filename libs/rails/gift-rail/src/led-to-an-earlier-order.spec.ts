/**
 * Two orders failed, Tremendous executed the first one after all, and its payee was led to it: they are led to no other, and whatever becomes of
 * that one, a later order that failed does not hide it.
 */
import type { RailCall, RailOrder } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import type { TremendousOrder } from '../testing/src';
import { giftRail } from './gift-rail';
import type { GiftRail } from './gift-rail.rail';
import { tremendousWorld } from './gift-rail.world.fake';

const AT_REST: RailCall = { signal: new AbortController().signal, movesNothing: 'at_rest' };
const EXECUTED = { status: 'EXECUTED', paid: { total: 1_005, fees: 0 } } as const;

describe('gift_rail, of an earlier order that its payee was led to', () => {
  const clock = new FixedClock();
  let world: Awaited<ReturnType<typeof tremendousWorld>>;
  let rail: GiftRail;
  let asked: RailOrder;
  let ledTo: string;

  beforeEach(async () => {
    const store = memoryRailStores(clock)('gift_rail');
    world = await tremendousWorld({ clock, store });
    rail = giftRail.create({
      ...{ store, clock, log: new RecordingLog(), deployment: 'spec' },
      ...{ hint: async () => undefined, settings: world.settings },
    }) as GiftRail;
    asked = testOrder(giftRail.traits, { currency: 'USD', amountCents: 1_005 });
    world.tremendous.reviews(asked.payee.email ?? '');
    await failed();
    await failed();
    Object.assign(named(asked.railKey), EXECUTED);
    expect(await rail.lookup(asked, AT_REST)).toMatchObject({ kind: 'awaiting_payee' });
    const link = await rail.payeeLink(asked);
    if (link.kind !== 'link') throw new Error('There is no link.');
    ledTo = link.of;
    await rail.handedOver(asked, ledTo);
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'settled' });
  });
  afterEach(() => world.close?.());

  const named = (name: string): TremendousOrder => {
    const order = world.tremendous.ordersOf(asked.railKey).find(({ externalId }) => externalId === name);
    if (!order) throw new Error('It was not ordered.');
    return order;
  };
  const failed = async (): Promise<void> => {
    world.tremendous.fund(0);
    await rail.submit(asked);
    for (const order of world.tremendous.ordersOf(asked.railKey))
      if (order.status === 'PENDING APPROVAL') world.tremendous.books.approve(order);
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'refused' });
    clock.advance(700);
  };

  it('leads them to no other that is executed as well', async () => {
    Object.assign(named(`${asked.railKey}:2`), EXECUTED);
    expect(await rail.payeeLink(asked)).toMatchObject({ kind: 'link', of: ledTo });
  });

  it('does not know what became of it if it failed since, and orders no other', async () => {
    named(asked.railKey).status = 'FAILED';
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'unknown' });
    expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
    expect(world.tremendous.ordersOf(asked.railKey)).toHaveLength(2);
  });

  it('does not call it refused if it was cancelled since, and orders no other', async () => {
    named(asked.railKey).status = 'CANCELED';
    expect((await rail.lookup(asked)).kind).not.toBe('refused');
    expect((await rail.submit(asked)).kind).not.toBe('refused');
    expect(world.tremendous.ordersOf(asked.railKey)).toHaveLength(2);
  });
});
