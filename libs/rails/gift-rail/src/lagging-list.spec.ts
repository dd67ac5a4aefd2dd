/** What Tremendous lists may lag behind what it answered: an order that it took is not refused for the one before it. */
import type { Rail, RailOrder } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { giftRail } from './gift-rail';
import { CREATE, tremendousWorld, turnedAway } from './gift-rail.world.fake';

const AT_REST = { signal: new AbortController().signal, movesNothing: 'at_rest' } as const;

describe('gift_rail, while what Tremendous lists lags behind what it answered', () => {
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
    world.tremendous.reviews(asked.payee.email ?? '');
    await rail.submit(asked);
  });
  afterEach(() => world.close?.());

  const first = () => {
    const [order] = world.tremendous.ordersOf(asked.railKey);
    if (!order) throw new Error('It was not sent.');
    return order;
  };
  const comesToNothing = async (): Promise<void> => {
    const { tremendous } = world;
    tremendous.fund(0);
    tremendous.books.approve(first());
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
    tremendous.fund(100_000);
  };
  /** The first order came to nothing, and the second one waits for its approval. */
  const takenOnceMore = async (): Promise<void> => {
    await comesToNothing();
    expect((await rail.submit(asked)).kind).toBe('accepted');
  };
  const withoutTheLast = async <Said>(ask: () => Promise<Said>): Promise<Said> => {
    const { orders } = world.tremendous.state;
    const last = orders.splice(-1);
    const said = await ask();
    orders.push(...last);
    return said;
  };

  it('is sent again under its own name, however late that is, and told by what Tremendous answers', async () => {
    await takenOnceMore();
    clock.advance(3_600);
    expect(await withoutTheLast(() => rail.lookup(asked))).toEqual({ kind: 'never_seen' });
    expect((await rail.submit(asked)).kind).toBe('accepted');
    expect(world.tremendous.ordersOf(asked.railKey)).toMatchObject([
      { status: 'FAILED' },
      { status: 'PENDING APPROVAL' },
    ]);
  });

  it('is unknown at rest, and when it is turned away as it is sent again', async () => {
    await takenOnceMore();
    clock.advance(3_600);
    expect(await withoutTheLast(() => rail.lookup(asked, AT_REST))).toMatchObject({ kind: 'unknown' });
    world.tremendous.faults.ask(turnedAway(402, 'Not enough funds'));
    expect(await withoutTheLast(() => rail.submit(asked))).toMatchObject({ kind: 'unknown' });
    expect(await rail.lookup(asked, AT_REST)).toMatchObject({ kind: 'accepted' });
  });

  it('is unknown at rest if it was seen in the list once, whatever became of the answer', async () => {
    await comesToNothing();
    world.tremendous.faults.ask({ effect: 'cut_after', match: CREATE });
    expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'accepted' });
    clock.advance(3_600);
    expect(await withoutTheLast(() => rail.lookup(asked, AT_REST))).toMatchObject({ kind: 'unknown' });
  });

  it('is not called unseen at rest if it is the first one', async () => {
    expect(await withoutTheLast(() => rail.lookup(asked, AT_REST))).toMatchObject({ kind: 'unknown' });
  });
});
