/** Adyen refused the first round, the answer to the second one is lost, and then Adyen books the first one after all. */
import type { RailOrder } from '#libs/rail-kit';
import { CENTS, PaymentBench, wanted } from './payment-bench.fake';

const SEND = { method: 'POST', path: '/btl/v4/transfers' };
const LIST = { method: 'GET', path: '/btl/v4/transfers' };
const IN_DOUBT_SECONDS = 600;

describe('custodial_b, when a round that was refused is booked after all', () => {
  let bench: PaymentBench;
  let asked: RailOrder;
  beforeEach(async () => {
    bench = await PaymentBench.open();
    asked = bench.order();
    bench.adyen.fund('EUR', CENTS - 1);
    expect(await bench.rail.submit(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
    bench.adyen.fund('EUR', 100_000);
  });
  afterEach(() => bench.close());

  async function secondRound(effect: 'cut_before' | 'cut_after'): Promise<void> {
    bench.adyen.faults.ask({ effect, match: SEND });
    expect(await bench.rail.submit(asked)).toMatchObject({ kind: 'unknown' });
  }

  function bookFirst(): void {
    const first = bench.adyen.state.transfers.find(({ reference }) => reference === asked.railKey);
    if (!first) throw new Error('There is no first round.');
    Object.assign(first, { status: 'authorised', reason: null });
    bench.adyen.books.books(first);
  }

  it('waits for the second one while Adyen may not list it yet, and goes on with the first one then', async () => {
    await secondRound('cut_before');
    bookFirst();
    expect(await bench.rail.submit(asked)).toMatchObject({ kind: 'unknown' });
    expect(await bench.leg(asked, 'payout')).toMatchObject({ kind: 'unknown' });
    bench.clock.advance(IN_DOUBT_SECONDS);
    const said = await bench.rail.lookup(asked);
    expect(said).toMatchObject({ kind: 'accepted', next: { leg: 'payout' } });
    expect(await bench.rail.submit(asked)).toEqual(said);
    await bench.leg(asked, 'payout');
    expect(bench.banks(asked)).toHaveLength(1);
    expect(bench.out(asked)).toBe(CENTS);
  });

  it('tells what both come to if both are out, and makes no call for it', async () => {
    await secondRound('cut_after');
    bookFirst();
    const both = { kind: 'accepted', echo: { amountCents: 2 * CENTS, currency: 'EUR' } };
    const said = await bench.rail.lookup(asked);
    expect(said).toMatchObject(both);
    expect(wanted(said)).toBeUndefined();
    expect(await bench.rail.submit(asked)).toEqual(said);
    expect(await bench.leg(asked, 'payout')).toEqual(said);
    expect(bench.banks(asked)).toHaveLength(0);
  });

  it('does not go on with the first one for a list of long before, if Adyen answered that the second one is there', async () => {
    expect(await bench.rail.submit(asked)).toMatchObject({ kind: 'accepted' });
    bookFirst();
    bench.clock.advance(IN_DOUBT_SECONDS);
    bench.adyen.faults.ask({ effect: 'slow', match: LIST, seconds: 0 });
    bench.adyen.faults.ask({ effect: 'answer', match: LIST, answer: { status: 200, body: { data: [] } } });
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'unknown' });
  });

  it('tells nothing for certain while Adyen does not say what there is of the second one', async () => {
    await secondRound('cut_after');
    bookFirst();
    bench.clock.advance(IN_DOUBT_SECONDS);
    // One question is about the first round, and the next one about the second.
    bench.adyen.faults.ask({ effect: 'slow', match: LIST, seconds: 0 });
    bench.adyen.faults.ask({ effect: 'server_error', match: LIST });
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'unknown' });
  });
});
