/** A call that is turned away says nothing of an order that is there, however long ago the answer to that was lost. */
import type { Rail } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { giftRail } from './gift-rail';
import { CREATE, tremendousWorld, turnedAway } from './gift-rail.world.fake';

describe('gift_rail, whose first answer was lost', () => {
  it.each([
    ['a moment ago', 1],
    ['eleven minutes ago, for its lane was closed meanwhile', 660],
  ])('does not call it refused when it is sent again and turned away: %s', async (_, seconds) => {
    const clock = new FixedClock();
    const store = memoryRailStores(clock)('gift_rail');
    const world = await tremendousWorld({ clock, store });
    const rail: Rail = giftRail.create({
      ...{ store, clock, log: new RecordingLog(), deployment: 'spec' },
      ...{ hint: async () => undefined, settings: world.settings },
    });
    const asked = testOrder(giftRail.traits, { currency: 'USD', amountCents: 1_005 });
    world.tremendous.faults.ask({ effect: 'cut_after', match: CREATE });
    expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
    clock.advance(seconds);
    world.tremendous.faults.ask(turnedAway(402, 'Not enough funds'));
    const { kind } = await rail.submit(asked);
    expect(world.tremendous.ordersOf(asked.railKey)).toMatchObject([{ status: 'EXECUTED' }]);
    await world.close?.();
    expect(kind).toBe('awaiting_payee');
  });
});
