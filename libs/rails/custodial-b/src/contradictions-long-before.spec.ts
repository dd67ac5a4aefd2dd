/** The same as of the round before the last one, of one that was over more rounds ago: a payout that waits for funds makes one for each try. */
import { PaymentBench } from './payment-bench.fake';

describe('custodial_b, of books that contradict themselves about a round long before the last one', () => {
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
      for (let tries = 0; tries < 6; tries += 1) {
        bench.clock.advance(3_600);
        expect(await bench.rail.submit(asked)).toMatchObject({ kind: 'refused' });
        expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
      }
      bench.bankOf(asked).status = 'booked';
      bench.adyen.fund('EUR', 100_000);
      await bench.rail.submit(asked);
      expect(bench.out(asked)).toBe(0);
    } finally {
      await bench.close();
    }
  });
});
