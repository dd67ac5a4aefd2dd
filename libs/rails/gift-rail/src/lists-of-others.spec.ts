/** A list of Tremendous in which only other orders stand says nothing of the one that was asked for by its name. */
import type { Rail, RailOrder } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { giftRail } from './gift-rail';
import { CREATE, LIST, tremendousWorld, turnedAway } from './gift-rail.world.fake';

const AT_REST = { signal: new AbortController().signal, movesNothing: 'at_rest' } as const;

describe('gift_rail, when Tremendous lists other orders than were asked for', () => {
  const clock = new FixedClock();
  let world: Awaited<ReturnType<typeof tremendousWorld>>;
  let rail: Rail;
  let asked: RailOrder;

  beforeEach(async () => {
    const store = memoryRailStores(clock)('gift_rail');
    world = await tremendousWorld({ clock, store });
    rail = giftRail.create({
      ...{ store, clock, log: new RecordingLog(), deployment: 'spec' },
      ...{ hint: async () => undefined, settings: world.settings },
    });
    asked = testOrder(giftRail.traits, { currency: 'USD', amountCents: 1_005 });
    world.tremendous.faults.ask({ effect: 'cut_after', match: CREATE });
    expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
    expect(world.tremendous.ordersOf(asked.railKey)).toMatchObject([{ status: 'EXECUTED' }]);
    clock.advance(601);
  });
  afterEach(() => world.close?.());

  /** As many as a page has, newest first; ours stands behind them. */
  const others = async (times: number) => {
    const answer = await fetch(`${world.settings.GIFT_RAIL_BASE_URL}/api/v2/orders`, {
      headers: { authorization: 'Bearer key-of-the-simulated-organisation' },
    });
    const { orders } = (await answer.json()) as { orders: object[] };
    const page = Array.from({ length: 10 }, (_, n) => ({ ...orders[0], id: `OTHER${n}`, external_id: `other-${n}` }));
    const match = LIST;
    world.tremendous.faults.ask({
      effect: 'answer',
      match,
      times,
      answer: { status: 200, body: { orders: page, total_count: 500 } },
    });
  };

  it('does not call it never seen at rest', async () => {
    await others(1);
    expect(await rail.lookup(asked, AT_REST)).toMatchObject({ kind: 'unknown' });
  });

  it('does not call it refused when it is turned away as it is sent again', async () => {
    world.tremendous.faults.ask(turnedAway(402, 'Not enough funds'));
    await others(1);
    expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
  });
});
