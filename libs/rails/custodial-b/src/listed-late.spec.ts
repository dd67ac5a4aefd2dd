/** What was sent a moment ago may be listed late. At rest nobody sends it once more under its key, so what is not listed yet is not called missing. */
import { PaymentBench } from './payment-bench.fake';

const LIST = { method: 'GET', path: '/btl/v4/transfers' };
const AT_REST = { signal: new AbortController().signal, movesNothing: 'at_rest' } as const;

describe('custodial_b, while Adyen does not list yet what was sent', () => {
  let bench: PaymentBench;
  beforeEach(async () => {
    bench = await PaymentBench.open();
  });
  afterEach(() => bench.close());

  const listsNothing = (): void =>
    bench.adyen.faults.ask({ effect: 'answer', match: LIST, answer: { status: 200, body: { data: [] } } });

  it('cannot tell of what is at rest for ten minutes, and then says that it never saw it', async () => {
    const asked = bench.order();
    await bench.rail.submit(asked);
    for (const [seconds, kind] of [
      [46, 'unknown'],
      [500, 'unknown'],
      [60, 'never_seen'],
    ] as const) {
      bench.clock.advance(seconds);
      listsNothing();
      expect((await bench.rail.lookup(asked, AT_REST)).kind).toBe(kind);
    }
  });

  it('says so at once of what may still be sent under its key, and of what never was', async () => {
    const asked = bench.order();
    expect(await bench.rail.lookup(asked, AT_REST)).toEqual({ kind: 'never_seen' });
    await bench.rail.submit(asked);
    listsNothing();
    expect(await bench.rail.lookup(asked)).toEqual({ kind: 'never_seen' });
  });
});
