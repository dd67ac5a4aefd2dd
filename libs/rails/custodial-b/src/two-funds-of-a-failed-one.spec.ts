/**
 * Adyen turned two calls of one round away (422: no transfer is made), the payout failed, and both transfers are there after all. A payout that failed
 * is named by what `contradicts` itself, by a sum or by money, and by nothing else (ADR 130; the same of swap_rail: `paid-twice.spec`).
 */
import { PaymentBench } from './payment-bench.fake';

const AT_REST = { signal: new AbortController().signal, movesNothing: 'at_rest' } as const;
const NO = { type: 'about:blank', title: 'No', detail: 'No.', status: 422, errorCode: '30_005' };

it('custodial_b names the money of a payout that failed, if two transfers of one round are there after all', async () => {
  const bench = await PaymentBench.open();
  try {
    const asked = bench.order();
    const match = { method: 'POST', path: '/btl/v4/transfers' };
    for (let nth = 0; nth < 2; nth += 1) {
      bench.adyen.faults.ask({ effect: 'answer', match, answer: { status: 422, body: NO } });
      expect(await bench.rail.submit(asked)).toMatchObject({ kind: 'refused', failure: 'account' });
      bench.clock.advance(3_600);
    }
    // As they would have been made, under the two keys of the two calls.
    const other = bench.anotherProcess();
    bench.adyen.fund('EUR', 100_000);
    await other.submit(asked);
    const [made] = bench.adyen.state.transfers.filter(({ reference }) => reference === asked.railKey);
    if (!made) throw new Error('There is none.');
    bench.adyen.state.transfers.push({ ...structuredClone(made), id: 'TRTHEOTHER' });
    const told = await bench.rail.lookup(asked, AT_REST);
    expect({ ...told, isNews: told.kind !== 'unknown' || told.contradicts === true }).toMatchObject({ isNews: true });
  } finally {
    await bench.close();
  }
});
