/** What counts as handed over: a link that went out to its payee, and none that was made and withheld. */
import type { RailOrder } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { giftRail } from './gift-rail';
import type { GiftRail } from './gift-rail.rail';
import { tremendousWorld } from './gift-rail.world.fake';

describe('a reward of gift_rail', () => {
  let world: Awaited<ReturnType<typeof tremendousWorld>>;
  let rail: GiftRail;
  let anotherProcess: () => GiftRail;
  let asked: RailOrder;

  beforeEach(async () => {
    const clock = new FixedClock();
    const store = memoryRailStores(clock)('gift_rail');
    world = await tremendousWorld({ clock, store });
    anotherProcess = () =>
      giftRail.create({
        ...{ store, clock, log: new RecordingLog(), deployment: 'spec', settings: world.settings },
        hint: async () => undefined,
      }) as GiftRail;
    rail = anotherProcess();
    asked = testOrder(giftRail.traits, { currency: 'USD', amountCents: 1_005 });
    await rail.submit(asked);
  });
  afterEach(() => world.close?.());

  const orders = () => world.tremendous.ordersOf(asked.railKey);
  const cancel = (): void => orders().forEach((order) => world.tremendous.books.cancel(order));
  const made = async (): Promise<{ url: string; of: string }> => {
    const answer = await rail.payeeLink(asked);
    if (answer.kind !== 'link') throw new Error(`There is no link: ${answer.detail}`);
    return answer;
  };

  it('waits for its payee as before when a link was made that nobody was handed', async () => {
    expect(await made()).toMatchObject({ of: orders()[0]?.id });
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'awaiting_payee' });
    cancel();
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'refused', failure: 'expired' });
  });

  it('counts as paid once its payee is led to it, without a time', async () => {
    const { url, of } = await made();
    await rail.handedOver(asked, of);
    expect(url).toContain('/rewards/payout/');
    expect(await anotherProcess().lookup(asked)).toMatchObject({ kind: 'settled', settledAt: null });
    const page = await fetch(url, { method: 'POST', body: new URLSearchParams({ product: 'PayPal' }) });
    expect(await page.text()).toContain('Redeemed as PayPal');
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'settled', settledAt: null });
    expect((await made()).url).not.toBe(url);
  });

  it('is not handed over by a link to the one before it, which has ended: nobody is led there', async () => {
    const { of } = await made();
    cancel();
    await rail.lookup(asked);
    await rail.submit(asked);
    await expect(rail.handedOver(asked, of)).rejects.toThrow('has ended');
    expect(orders().map(({ status }) => status)).toEqual(['CANCELED', 'EXECUTED']);
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'awaiting_payee' });
  });
});
