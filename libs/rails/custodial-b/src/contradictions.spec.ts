/** Adyen says that the first transfer came to nothing, and shows what left for the bank from where it went: nobody is paid twice by that. */
import { PaymentBench } from './payment-bench.fake';

describe('custodial_b, of books that contradict themselves', () => {
  it.each(['authorised', 'booked'] as const)(
    'does not call refused what is %s on its way to the bank',
    async (until) => {
      const bench = await PaymentBench.open();
      try {
        const asked = bench.order();
        await bench.rail.submit(asked);
        bench.adyen.destines(asked.railKey, { until } as never);
        await bench.leg(asked, 'payout');
        const fund = bench.adyen.state.transfers.find(
          ({ category, reference }) => category === 'internal' && reference === asked.railKey,
        );
        if (!fund) throw new Error('There is no first transfer.');
        const { status } = fund;
        fund.status = 'failed';
        expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'unknown', contradicts: true });
        // The core would retry it: that is another payment.
        await bench.rail.submit(asked);
        fund.status = status;
        expect(bench.out(asked)).toBe(2_005);
      } finally {
        await bench.close();
      }
    },
  );

  it.each(['refused', 'bounced'] as const)(
    'says so if the bank has what was %s, once that was pulled back',
    async (ended) => {
      const bench = await PaymentBench.open();
      try {
        const asked = bench.order();
        await bench.rail.submit(asked);
        if (ended === 'refused')
          bench.adyen.destines(asked.railKey, { until: 'authorised', fails: 'counterpartyBankUnavailable' });
        await bench.leg(asked, 'payout');
        if (ended === 'bounced') bench.adyen.books.returns(bench.bankOf(asked), 'counterpartyAccountClosed');
        await bench.leg(asked, 'pull_back');
        expect(await bench.rail.lookup(asked)).toMatchObject({ kind: ended });
        bench.bankOf(asked).status = 'booked';
        expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'unknown', contradicts: true });
      } finally {
        await bench.close();
      }
    },
  );
});
