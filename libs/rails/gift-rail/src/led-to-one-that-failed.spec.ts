/**
 * An order failed, its payee was led to the next one, which Tremendous calls failed afterwards (nobody knows whether they took it), and executes the
 * first one after all: they are led to no other (ADR 130), and what may be out twice is not told as one order that waits.
 */
import type { RailOrder } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import type { TremendousOrder } from '../testing/src';
import { giftRail } from './gift-rail';
import type { GiftRail } from './gift-rail.rail';
import { tremendousWorld } from './gift-rail.world.fake';

const EXECUTED = { status: 'EXECUTED', paid: { total: 1_005, fees: 0 } } as const;

describe('gift_rail, of an order that failed after its payee was led to it, beside an earlier one that lives', () => {
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
    world.tremendous.fund(0);
    await rail.submit(asked);
    world.tremendous.books.approve(named(asked.railKey)); // it fails
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'refused' });
    clock.advance(700);
    world.tremendous.fund(100_000);
    await rail.submit(asked);
    world.tremendous.books.approve(named(`${asked.railKey}:2`));
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'awaiting_payee' });
    const link = await rail.payeeLink(asked);
    if (link.kind !== 'link') throw new Error('There is no link.');
    await rail.handedOver(asked, link.of);
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'settled' });
    named(`${asked.railKey}:2`).status = 'FAILED';
    Object.assign(named(asked.railKey), EXECUTED);
    clock.advance(700);
  });
  afterEach(() => world.close?.());

  const named = (name: string): TremendousOrder => {
    const order = world.tremendous.ordersOf(asked.railKey).find(({ externalId }) => externalId === name);
    if (!order) throw new Error('It was not ordered.');
    return order;
  };

  it('leads them to no other', async () => {
    const first = named(asked.railKey).id;
    const link = await rail.payeeLink(asked);
    expect(link).not.toMatchObject({ kind: 'link', of: first });
  });

  it('does not tell of the earlier one as all there is', async () => {
    const told = await rail.lookup(asked);
    expect(told).not.toMatchObject({ kind: 'awaiting_payee', echo: { amountCents: 1_005 } });
  });
});
