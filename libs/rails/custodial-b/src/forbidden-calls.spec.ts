/** A call that Adyen forbids for one account keeps that payout back, and no other one. */
import type { RailOrder } from '#libs/rail-kit';
import { BANK, FUND, PAYEE } from './custodial-b.world.fake';
import { CENTS, PaymentBench, wanted } from './payment-bench.fake';

const FORBIDDEN = {
  type: 'https://docs.adyen.com/errors/forbidden',
  title: 'Forbidden',
  detail: 'Not for this account.',
};
const forbidden = { status: 403, body: { ...FORBIDDEN, status: 403, errorCode: '00_403' } };
const unauthorized = { status: 401, body: { status: 401, errorCode: '000', message: 'No.' } };
const HOLDER = { method: 'GET', path: `/bcl/v2/accountHolders/${PAYEE}` };
const later = (leg: string) => ({ kind: 'accepted', next: { leg, afterSeconds: 3_600 } });

describe('custodial_b, when Adyen does not let us make a later call', () => {
  let bench: PaymentBench;
  let asked: RailOrder;

  beforeEach(async () => {
    bench = await PaymentBench.open();
    asked = bench.order();
    await bench.rail.submit(asked);
  });
  afterEach(() => bench.close());

  it.each([
    ['to the bank', BANK],
    ['about the account that it leaves from', HOLDER],
  ])('for its account, the payout alone waits, and goes on once it may: %s', async (_, match) => {
    bench.adyen.faults.ask({ effect: 'answer', match, answer: forbidden });
    expect(await bench.leg(asked, 'payout')).toMatchObject(later('payout'));
    expect(await bench.leg(asked, 'payout')).toMatchObject({ kind: 'accepted' });
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'settled' });
    expect(bench.out(asked)).toBe(CENTS);
  });

  it('it waits on the way back as well', async () => {
    bench.adyen.destines(asked.railKey, { until: 'authorised', fails: 'counterpartyAccountClosed' });
    await bench.leg(asked, 'payout');
    bench.adyen.faults.ask({ effect: 'answer', match: FUND, answer: forbidden });
    expect(await bench.leg(asked, 'pull_back')).toMatchObject(later('pull_back'));
    expect(wanted(await bench.rail.lookup(asked))).toBe('pull_back');
    expect(await bench.leg(asked, 'pull_back')).toMatchObject({ kind: 'refused', failure: 'permanent' });
    expect(bench.out(asked)).toBe(0);
  });

  it('with a key that counts no more, all others wait too', async () => {
    bench.adyen.faults.ask({ effect: 'answer', match: BANK, answer: unauthorized });
    expect(await bench.leg(asked, 'payout')).toMatchObject({ kind: 'not_now' });
    expect(wanted(await bench.rail.lookup(asked))).toBe('payout');
  });
});
