/** Adyen refused the first transfers of a payout for lack of funds, and books the first of them after all: nothing is sent beside it. */
import type { RailCall } from '#libs/rail-kit';
import { PaymentBench } from './payment-bench.fake';

const AT_REST: RailCall = { signal: new AbortController().signal, movesNothing: 'at_rest' };

it.each([2, 8, 20])('custodial_b hears of it after %i that were refused', async (tries) => {
  const bench = await PaymentBench.open();
  try {
    const asked = bench.order();
    bench.adyen.fund('EUR', 0);
    for (let nth = 0; nth < tries; nth += 1) {
      await bench.rail.submit(asked);
      expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
      bench.clock.advance(3_600);
    }
    const first = bench.adyen.state.transfers.find(({ reference }) => reference === asked.railKey);
    if (!first) throw new Error('There is none.');
    first.status = 'booked';
    bench.adyen.fund('EUR', 100_000);
    const sent = bench.adyen.state.transfers.length;
    expect(await bench.rail.lookup(asked, AT_REST)).toMatchObject({ kind: 'accepted' });
    await bench.rail.submit(asked);
    expect(bench.adyen.state.transfers).toHaveLength(sent);
  } finally {
    await bench.close();
  }
});
