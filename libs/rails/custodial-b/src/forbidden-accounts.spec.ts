/** What Adyen forbids of one account before anything is sent is that account's trouble, and nobody else's. */
import { PAYEE } from './custodial-b.world.fake';
import { PaymentBench } from './payment-bench.fake';

const forbidden = { status: 403, body: { status: 403, errorCode: '00_403', title: 'Forbidden', type: 't', detail: 'Not for this account.' } };
const HOLDER = { method: 'GET', path: `/bcl/v2/accountHolders/${PAYEE}` };

describe('custodial_b, when Adyen does not show us one account at the first call', () => {
  let bench: PaymentBench;
  beforeEach(async () => void (bench = await PaymentBench.open()));
  afterEach(() => bench.close());

  it('does not say that our key is no good, which Adyen knew a moment ago: that closes the lane of everybody', async () => {
    const asked = bench.order();
    bench.adyen.faults.ask({ effect: 'answer', match: HOLDER, answer: forbidden });
    const said = await bench.rail.submit(asked);
    expect(said).not.toMatchObject({ kind: 'refused', failure: 'credentials' });
    expect(bench.out(asked)).toBe(0);
  });
});
