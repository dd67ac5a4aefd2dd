/**
 * Adyen refused a transfer to the bank for lack of funds in the payee's account, the next one was booked, and then it books the first one after all,
 * out of what lies there for another payout: the bank has it twice. It is told as what both come to (ADR 130, as of two drains of swap_rail): the core
 * takes nothing else for news of what is paid, and the lists of this rail (movements) show the platform's account alone.
 */
import type { RailOrder } from '#libs/rail-kit';
import { CENTS, PaymentBench } from './payment-bench.fake';

const HOUR = 3_600;

describe('custodial_b, when a transfer to the bank that was refused is booked after all', () => {
  let bench: PaymentBench;
  let asked: RailOrder;
  beforeEach(async () => {
    bench = await PaymentBench.open();
    asked = bench.order();
    bench.adyen.fund('EUR', 100_000);
    await bench.rail.submit(asked);
    await bench.rail.lookup(asked);
    bench.balances().EUR = CENTS - 1; // the account owed Adyen something
    await bench.leg(asked, 'payout');
    expect(bench.banks(asked)).toEqual(['refused']);
    bench.balances().EUR = 10 * CENTS;
    bench.clock.advance(HOUR);
    await bench.leg(asked, 'payout');
    bench.clock.advance(HOUR);
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'settled', echo: { amountCents: CENTS } });
    const first = bench.adyen.banksOf(asked.railKey).find(({ status }) => status === 'refused');
    if (!first) throw new Error('There is no first one.');
    Object.assign(first, { status: 'authorised', reason: null });
    bench.adyen.books.books(first);
    expect(bench.banks(asked)).toEqual(['booked', 'booked']);
  });
  afterEach(() => bench.close());

  const BOTH = { kind: 'settled', echo: { amountCents: 2 * CENTS, currency: 'EUR' } };

  it('tells what both come to, and sends nothing', async () => {
    expect(await bench.rail.lookup(asked)).toMatchObject(BOTH);
    expect(await bench.rail.submit(asked)).toMatchObject(BOTH);
    expect(bench.banks(asked)).toHaveLength(2);
  });

  it('does so of one that is of another sum', async () => {
    bench.bankOf(asked).units -= 1;
    expect(await bench.rail.lookup(asked)).toMatchObject(BOTH);
  });
});
