/** Which notices of Tremendous are believed, and whose they are. */
import type { Rail, RailOrder, ReadsNotices } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { giftRail } from './gift-rail';
import { tremendousWorld } from './gift-rail.world.fake';

describe('notices of Tremendous', () => {
  let world: Awaited<ReturnType<typeof tremendousWorld>>;
  let rail: Rail & ReadsNotices;
  let asked: RailOrder;
  let callsSeen = 0;

  beforeEach(async () => {
    const clock = new FixedClock();
    const store = memoryRailStores(clock)('gift_rail');
    world = await tremendousWorld({ clock, store }, () => void (callsSeen += 1));
    rail = giftRail.create({
      ...{ store, clock, log: new RecordingLog(), deployment: 'spec', settings: world.settings },
      hint: async () => undefined,
    }) as Rail & ReadsNotices;
    asked = testOrder(giftRail.traits);
    await rail.submit(asked);
    callsSeen = 0;
  });
  afterEach(() => world.close?.());

  type Event = Parameters<typeof world.tremendous.notice>[0]['event'];
  function notice(event: Event): { headers: Record<string, string>; body: Buffer } {
    const [order] = world.tremendous.ordersOf(asked.railKey);
    if (!order) throw new Error('It was not sent.');
    const { headers, body } = world.tremendous.notice({ event, order });
    return { headers, body: Buffer.from(body) };
  }

  it.each<[Event, number]>([
    ['ORDERS.CANCELED', 1],
    ['ORDERS.FAILED', 1],
    ['REWARDS.CANCELED', 2],
  ])('%s names its payout, which Tremendous is asked for in %i calls', async (event, calls) => {
    expect(await rail.readNotice(notice(event))).toMatchObject({ kind: 'hints', railKeys: [asked.railKey] });
    expect(callsSeen).toBe(calls);
  });

  it('nothing is asked about what we know, nor about what is forged', async () => {
    expect(await rail.readNotice(notice('ORDERS.CREATED'))).toMatchObject({ kind: 'hints', railKeys: [] });
    const { headers, body } = notice('ORDERS.CANCELED');
    const others = { ...headers, 'tremendous-webhook-signature': `sha256=${'0'.repeat(64)}` };
    for (const forged of [
      { headers: others, body },
      { headers: {}, body },
      { headers, body: Buffer.from('{}') },
    ])
      expect(await rail.readNotice(forged)).toEqual({ kind: 'forged' });
    expect(callsSeen).toBe(0);
  });

  it('is of none of ours if Tremendous knows no such order', async () => {
    const told = notice('ORDERS.CANCELED');
    world.tremendous.state.orders.length = 0;
    expect(await rail.readNotice(told)).toMatchObject({ kind: 'hints', railKeys: [] });
  });

  it('is told again later if Tremendous cannot say now whose it is', async () => {
    world.tremendous.faults.ask({ effect: 'server_error', match: { method: 'GET' } });
    await expect(rail.readNotice(notice('ORDERS.CANCELED'))).rejects.toThrow('did not say');
  });
});
