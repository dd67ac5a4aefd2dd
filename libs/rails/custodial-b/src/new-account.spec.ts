/** Rows whose payout came back for now leave again under the same code, to the account that their payee has by then. */
import { randomUUID } from 'node:crypto';
import { PaymentBench, wanted } from './payment-bench.fake';

describe('custodial_b, of a payee who has another account since', () => {
  it('pays what was taken back from the old account to the new one', async () => {
    const bench = await PaymentBench.open();
    try {
      const before = bench.order();
      await bench.rail.submit(before);
      bench.adyen.destines(before.railKey, { until: 'authorised', fails: 'counterpartyBankUnavailable' });
      await bench.leg(before, 'payout');
      expect(await bench.leg(before, 'pull_back')).toMatchObject({ kind: 'refused', failure: 'transient' });
      bench.adyen.hasHolder({ id: 'AH_NEW' });
      const after = { ...before, accountId: 'AH_NEW', payoutId: randomUUID() };
      bench.newRound();
      expect(wanted(await bench.rail.submit(after))).toBe('payout');
    } finally {
      await bench.close();
    }
  });
});
