/**
 * PayPal denied a batch, the payout was tried again under the next name, and PayPal pays the first batch after all. A payout is not called
 * refused then, nothing is sent beside it, and a payment that went out beside it already is told.
 */
import type { Rail, RailCall, RailOrder } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import type { PaypalPayment } from '../testing/src';
import { claimRail } from './claim-rail';
import { paypalWorld } from './claim-rail.world.fake';

const AMOUNT = 1_005;
const READ = { method: 'GET', path: '/v1/payments/payouts/' };
const AT_REST: RailCall = { signal: new AbortController().signal, movesNothing: 'at_rest' };

describe('claim_rail, of a PayPal that pays an earlier batch after it denied that', () => {
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
    asked = testOrder(claimRail.traits, { currency: 'USD', amountCents: AMOUNT });
    world.paypal.register(asked.payee.email ?? '');
  });
  afterEach(() => world.close?.());

  const has = (cents: number): void => void (world.paypal.state.balances.USD = cents);
  const payments = (): PaypalPayment[] => world.paypal.sentAs(asked.railKey);
  const moved = (): number => payments().filter(({ status }) => status === 'SUCCESS').length;
  const denied = async (): Promise<void> => {
    has(0);
    await rail.submit(asked);
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
    clock.advance(61);
    has(100_000);
  };
  const paysTheFirst = (): void => {
    const [first] = payments().filter(({ senderBatchId }) => senderBatchId === asked.railKey);
    if (!first) throw new Error('It was not sent.');
    world.paypal.books.payAfterAll(first, clock.now());
  };

  it.each([1, 2, 3])('finds it after %s that were denied, and pays nothing beside it', async (tries) => {
    for (let count = 0; count < tries; count += 1) await denied();
    paysTheFirst();
    expect(await rail.lookup(asked, AT_REST)).toMatchObject({ kind: 'settled' });
    expect(await rail.submit(asked)).toMatchObject({ kind: 'settled' });
    expect([payments().length, moved()]).toEqual([tries, 1]);
  });

  it('pays nothing beside it if the next one was turned away', async () => {
    await denied();
    const problem = { name: 'INSUFFICIENT_FUNDS', message: 'no.', debug_id: '1' };
    const match = { method: 'POST', path: '/v1/payments/payouts' };
    world.paypal.faults.ask({ effect: 'answer', match, answer: { status: 422, body: problem } });
    expect(await rail.submit(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
    paysTheFirst();
    expect(await rail.submit(asked)).toMatchObject({ kind: 'settled' });
    expect([payments().length, moved()]).toEqual([1, 1]);
  });

  it('pays nothing beside it if the answer to the next one was lost, and that is asked about', async () => {
    await denied();
    world.paypal.faults.ask({ effect: 'cut_before', match: { method: 'POST', path: '/v1/payments/payouts' } });
    expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
    paysTheFirst();
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'settled' });
    expect([payments().length, moved()]).toEqual([1, 1]);
  });

  it('sends nothing while PayPal does not say what has become of it', async () => {
    await denied();
    world.paypal.faults.ask({ effect: 'server_error', match: READ, times: 2 });
    expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
    expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
    expect(payments()).toHaveLength(1);
    await rail.submit(asked);
    await rail.lookup(asked);
    expect([payments().length, moved()]).toEqual([2, 1]);
  });

  it('tells what both come to if the next one was paid before', async () => {
    await denied();
    await rail.submit(asked);
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'settled', echo: { amountCents: AMOUNT } });
    paysTheFirst();
    expect(moved()).toBe(2);
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'settled', echo: { amountCents: 2 * AMOUNT } });
  });
});
