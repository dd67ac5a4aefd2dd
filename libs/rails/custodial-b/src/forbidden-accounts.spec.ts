/** What Adyen forbids of one account before anything is sent is that account's trouble, and nobody else's. */
import { PAYEE } from './custodial-b.world.fake';
import { PaymentBench, wanted } from './payment-bench.fake';

const FORBIDDEN = {
  type: 'https://docs.adyen.com/errors/forbidden',
  title: 'Forbidden',
  detail: 'Not for this account.',
};
const forbidden = { status: 403, body: { ...FORBIDDEN, status: 403, errorCode: '00_403' } };
const unauthorized = { status: 401, body: { status: 401, errorCode: '000', message: 'No.' } };
const HOLDER = { method: 'GET', path: `/bcl/v2/accountHolders/${PAYEE}` };

describe('custodial_b, when Adyen does not show us one account at the first call', () => {
  let bench: PaymentBench;
  beforeEach(async () => void (bench = await PaymentBench.open()));
  afterEach(() => bench.close());

  it('holds that payout, and no other: Adyen knew our key a moment ago', async () => {
    const asked = bench.order();
    bench.adyen.faults.ask({ effect: 'answer', match: HOLDER, answer: forbidden });
    expect(await bench.rail.submit(asked)).toMatchObject({ kind: 'refused', failure: 'account' });
    expect(bench.out(asked)).toBe(0);
    expect(wanted(await bench.rail.submit(asked))).toBe('payout');
  });

  it('closes the lane if Adyen does not know our key', async () => {
    const asked = bench.order();
    bench.adyen.faults.ask({ effect: 'answer', match: HOLDER, answer: unauthorized });
    expect(await bench.rail.submit(asked)).toMatchObject({ kind: 'refused', failure: 'credentials' });
  });
});
