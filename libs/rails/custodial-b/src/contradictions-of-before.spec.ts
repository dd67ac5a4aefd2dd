/** Adyen shows what left for the bank in a round that was over, once another round came to nothing after it: nobody is paid twice by that. */
import { PaymentBench } from './payment-bench.fake';

describe('custodial_b, of books that contradict themselves about a round before the last one', () => {
  it('sends no other round', async () => {
    const bench = await PaymentBench.open();
    try {
      const asked = bench.order();
      await bench.rail.submit(asked);
      bench.adyen.destines(asked.railKey, { until: 'authorised', fails: 'counterpartyBankUnavailable' });
      await bench.leg(asked, 'payout');
      expect(await bench.leg(asked, 'pull_back')).toMatchObject({ kind: 'refused', failure: 'transient' });
      bench.newRound();
      bench.adyen.fund('EUR', 0);
      expect(await bench.rail.submit(asked)).toMatchObject({ kind: 'refused' });
      expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });

      bench.bankOf(asked).status = 'booked';
      bench.adyen.fund('EUR', 100_000);
      await bench.rail.submit(asked);
      // What came back from the first round, and is at the bank all the same.
      expect(bench.out(asked)).toBe(0);
    } finally {
      await bench.close();
    }
  });
});
