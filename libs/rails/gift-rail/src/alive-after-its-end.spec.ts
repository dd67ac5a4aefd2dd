/** Tremendous called an order failed, and shows it executed ever after: its payee is led to it, and what it says later still counts. */
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { giftRail } from './gift-rail';
import type { GiftRail } from './gift-rail.rail';
import { tremendousWorld } from './gift-rail.world.fake';

describe('an order of gift_rail that failed, and was executed after all', () => {
  const clock = new FixedClock();
  const store = memoryRailStores(clock)('gift_rail');
  const asked = testOrder(giftRail.traits, { currency: 'USD', amountCents: 1_005 });
  let world: Awaited<ReturnType<typeof tremendousWorld>>;
  let rail: GiftRail;
  const shows = (status: 'FAILED' | 'EXECUTED'): void =>
    world.tremendous.ordersOf(asked.railKey).forEach((order) => (order.status = status));
  const isLedThere = async (): Promise<boolean> => {
    const { of } = (await rail.payeeLink(asked)) as { of: string };
    return rail.handedOver(asked, of).then(
      () => true,
      () => false,
    );
  };

  beforeAll(async () => {
    world = await tremendousWorld({ clock, store });
    rail = giftRail.create({
      ...{ store, clock, log: new RecordingLog(), deployment: 'spec', settings: world.settings },
      hint: async () => undefined,
    }) as GiftRail;
    await rail.submit(asked);
  });
  afterAll(() => world.close?.());

  it('leads nobody there right after it was called refused: the answer may be one of before', async () => {
    shows('FAILED');
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'refused' });
    shows('EXECUTED');
    expect(await isLedThere()).toBe(false);
  });

  it('may end once more before its payee comes', async () => {
    clock.advance(61_000);
    await rail.payeeLink(asked);
    shows('FAILED');
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'refused' });
    shows('EXECUTED');
    expect(await isLedThere()).toBe(false);
  });

  it("is its payee's once they were led there, a minute later, and does not fail any more", async () => {
    clock.advance(61_000);
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'awaiting_payee' });
    expect(await isLedThere()).toBe(true);
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'settled' });
    shows('FAILED');
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'unknown' });
  });
});
