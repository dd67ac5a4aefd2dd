/** What Adyen lists may lag behind what it listed before: a round that was seen is not forgotten for that. */
import { CENTS, PaymentBench } from './payment-bench.fake';

const LIST = { method: 'GET', path: '/btl/v4/transfers' };
/** By a copy of Adyen's books from before all of it. */
const NOTHING = { effect: 'answer', match: LIST, answer: { status: 200, body: { data: [] } } } as const;

describe('custodial_b, when a list of Adyen lags behind what it listed before', () => {
  let bench: PaymentBench;

  beforeEach(async () => {
    bench = await PaymentBench.open();
  });
  afterEach(() => bench.close());

  it('does not begin with the first round anew, under a key that Adyen has forgotten', async () => {
    const asked = bench.order();
    const refused = { kind: 'refused', failure: 'funding' };
    bench.adyen.fund('EUR', CENTS - 1);
    expect(await bench.rail.submit(asked)).toMatchObject(refused);
    // Held for more than the week for which Adyen knows a key; released then, and refused in a second round, which Adyen shows.
    bench.clock.advance(8 * 86_400);
    expect(await bench.rail.submit(asked)).toMatchObject(refused);
    expect(await bench.rail.lookup(asked)).toMatchObject(refused);
    bench.adyen.fund('EUR', 100_000);
    bench.adyen.faults.ask(NOTHING);
    expect(await bench.rail.submit(asked)).toMatchObject({ kind: 'unknown' });
    await bench.rail.lookup(asked);
    await bench.rail.submit(asked);
    await bench.leg(asked, 'payout');
    expect(bench.out(asked)).toBe(CENTS);
    expect(bench.banks(asked).filter((status) => status !== 'refused')).toHaveLength(1);
  });

  it('does not call it refused for the first round while another one is out', async () => {
    const asked = bench.order();
    bench.adyen.fund('EUR', CENTS - 1);
    await bench.rail.submit(asked);
    bench.adyen.fund('EUR', 100_000);
    await bench.rail.submit(asked);
    bench.adyen.faults.ask({ ...NOTHING, times: 2 });
    expect(await bench.rail.submit(asked)).toMatchObject({ kind: 'unknown' });
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'unknown' });
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'accepted' });
    expect(bench.out(asked)).toBe(CENTS);
  });

  it('is unknown if it was seen under way, and never seen by another account of Adyen', async () => {
    const asked = bench.order();
    await bench.rail.submit(asked);
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'accepted' });
    bench.adyen.faults.ask({ ...NOTHING, times: 2 });
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'unknown' });
    const { signal } = new AbortController();
    expect(await bench.rail.lookup(asked, { signal, movesNothing: 'sent_elsewhere' })).toEqual({ kind: 'never_seen' });
    // The one that it was sent with is bound again.
    bench.adyen.faults.ask({ ...NOTHING, times: 2 });
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'unknown' });
  });
});
