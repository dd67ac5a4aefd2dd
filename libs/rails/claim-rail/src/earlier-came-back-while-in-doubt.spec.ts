/**
 * PayPal denied a batch, the answer to the next one was lost although PayPal paid it, and PayPal pays the first one after all, whose payee
 * sends it back: that says nothing of the next one, which is out.
 */
import type { Rail, RailCall, RailOrder } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { claimRail } from './claim-rail';
import { paypalWorld } from './claim-rail.world.fake';

const AT_REST: RailCall = { signal: new AbortController().signal, movesNothing: 'at_rest' };

describe('claim_rail, of an earlier batch that was paid and came back while the next one is in doubt', () => {
  const clock = new FixedClock();
  let world: Awaited<ReturnType<typeof paypalWorld>>;
  let rail: Rail;
  let asked: RailOrder;

  beforeEach(async () => {
    world = await paypalWorld(clock);
    rail = claimRail.create({
      ...{ store: memoryRailStores(clock)('claim_rail'), clock, log: new RecordingLog(), deployment: 'spec' },
      ...{ hint: async () => undefined, settings: world.settings },
    });
    asked = testOrder(claimRail.traits, { currency: 'USD', amountCents: 1_005 });
    world.paypal.register(asked.payee.email ?? '');
    world.paypal.state.balances.USD = 0;
    await rail.submit(asked);
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
    clock.advance(61);
    world.paypal.state.balances.USD = 100_000;
    world.paypal.faults.ask({ effect: 'cut_after', match: { method: 'POST', path: '/v1/payments/payouts' } });
    expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
    const first = world.paypal.sentAs(asked.railKey).find(({ senderBatchId }) => senderBatchId === asked.railKey);
    if (!first) throw new Error('It was not sent.');
    world.paypal.books.payAfterAll(first, clock.now());
    world.paypal.books.comesBack(first, 'REFUNDED', clock.now());
    clock.advance(5);
  });
  afterEach(() => expect(statuses()).toEqual(['SUCCESS', 'REFUNDED']));

  const statuses = (): string[] => world.paypal.sentAs(asked.railKey).map(({ status }) => status);

  test('a look-up tells of the next one', async () => {
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'settled' });
  });

  test('a look-up that may send nothing does not know', async () => {
    expect(await rail.lookup(asked, AT_REST)).toMatchObject({ kind: 'unknown' });
  });

  test('sending it again finds the next one, and makes no third', async () => {
    await rail.submit(asked);
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'settled' });
  });
});
