/**
 * Tremendous failed some orders of a payout one after the other, and executes the first of them after all: the payout is told by that, nothing
 * is ordered beside it, and a second order that was executed before is told as well.
 */
import type { RailCall, RailOrder } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import type { TremendousOrder } from '../testing/src';
import { giftRail } from './gift-rail';
import type { GiftRail } from './gift-rail.rail';
import { tremendousWorld } from './gift-rail.world.fake';

const AT_REST: RailCall = { signal: new AbortController().signal, movesNothing: 'at_rest' };
const LIST = { method: 'GET', path: '/api/v2/orders' };

describe('gift_rail, of a Tremendous that executes an earlier order after it failed', () => {
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
  const executed = (): number => orders().filter(({ status }) => status === 'EXECUTED').length;
  const approved = async (cents: number): Promise<void> => {
    world.tremendous.fund(cents);
    await rail.submit(asked);
    for (const order of orders().filter(({ status }) => status === 'PENDING APPROVAL'))
      world.tremendous.books.approve(order);
  };
  const failed = async (): Promise<void> => {
    await approved(0);
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'refused' });
    clock.advance(700);
  };
  const firstIsExecuted = (): void => {
    const first = orders().find(({ externalId }) => externalId === asked.railKey);
    Object.assign(first ?? {}, { status: 'EXECUTED', paid: { total: 1_005, fees: 0 } });
  };

  it.each([1, 2, 3, 10])('hears of it after %s that failed, and orders nothing beside it', async (failures) => {
    for (let count = 0; count < failures; count += 1) await failed();
    firstIsExecuted();
    expect(await rail.lookup(asked, AT_REST)).toMatchObject({ kind: 'awaiting_payee' });
    await approved(100_000);
    expect([orders().length, executed()]).toEqual([failures, 1]);
    expect(await rail.payeeLink(asked)).toMatchObject({ kind: 'link' });
  });

  it('orders nothing while Tremendous does not say what became of it', async () => {
    await failed();
    world.tremendous.faults.ask({ effect: 'server_error', match: LIST });
    world.tremendous.fund(100_000);
    expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
    expect(orders()).toHaveLength(1);
  });

  it('tells what both come to if the next one was executed before', async () => {
    await failed();
    await approved(100_000);
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'awaiting_payee', echo: { amountCents: 1_005 } });
    firstIsExecuted();
    expect(executed()).toBe(2);
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'awaiting_payee', echo: { amountCents: 2_010 } });
  });
});
