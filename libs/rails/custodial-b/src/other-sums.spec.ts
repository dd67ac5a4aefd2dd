/** What Adyen shows of a later call counts as an answer only if it moved what it was asked to, as with the first one. */
import type { RailOrder } from '#libs/rail-kit';
import { BANK } from './custodial-b.world.fake';
import { CENTS, PaymentBench, wanted } from './payment-bench.fake';

const NO = { type: 'https://docs.adyen.com/errors/general', title: 'No', detail: 'No.', status: 422 };

describe('custodial_b, when Adyen shows another sum than it was asked to move', () => {
  let bench: PaymentBench;

  beforeEach(async () => {
    bench = await PaymentBench.open();
  });
  afterEach(() => bench.close());

  it.each([
    ['less', { units: CENTS - 1_000 }],
    ['another currency', { currency: 'HUF' }],
  ])('is not paid when the bank was sent %s', async (_, shown) => {
    const asked = bench.order();
    bench.adyen.destines(asked.railKey, { until: 'authorised', fails: null });
    await bench.rail.submit(asked);
    await bench.leg(asked, 'payout');
    Object.assign(bench.bankOf(asked), { ...shown, status: 'booked' });
    expect((await bench.rail.lookup(asked)).kind).toBe('unknown');
  });

  it('is not refused while only some of it was pulled back', async () => {
    const asked = bench.order();
    await bench.rail.submit(asked);
    bench.adyen.faults.ask({
      effect: 'answer',
      match: BANK,
      answer: { status: 422, body: { ...NO, errorCode: '30_112' } },
    });
    expect(wanted(await bench.leg(asked, 'payout'))).toBe('pull_back');
    await bench.leg(asked, 'pull_back');
    Object.assign(backOf(asked) ?? {}, { units: CENTS - 1_000 });
    expect(bench.out(asked)).toBe(1_000);
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'unknown' });
  });

  it('is not called sent back while less was pulled back than the bank did not keep', async () => {
    const asked = bench.order();
    await bench.rail.submit(asked);
    await bench.leg(asked, 'payout');
    bench.adyen.books.returns(bench.bankOf(asked), 'counterpartyAccountClosed', 5);
    expect(await bench.leg(asked, 'pull_back')).toMatchObject({ kind: 'settled' });
    Object.assign(backOf(asked) ?? {}, { units: CENTS - 1_000 });
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'unknown' });
  });

  const backOf = ({ railKey }: RailOrder) =>
    bench.adyen
      .transfersOf(railKey)
      .find(({ category, account }) => category === 'internal' && account !== 'BA_PLATFORM');
});
