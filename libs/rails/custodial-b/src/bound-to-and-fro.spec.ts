/**
 * A wrong account of Adyen is bound for a while, and the right one again. What the right one showed before holds still, if its list lags behind that
 * (point 1: nobody is paid twice): the wrong one's answers are none about it.
 */
import { CENTS, PaymentBench } from './payment-bench.fake';

const LIST = { method: 'GET', path: '/btl/v4/transfers' };
const NOTHING = { effect: 'answer', match: LIST, answer: { status: 200, body: { data: [] } } } as const;

describe('custodial_b, bound to a wrong account of Adyen and to the right one again', () => {
  let bench: PaymentBench;

  beforeEach(async () => {
    bench = await PaymentBench.open();
  });
  afterEach(() => bench.close());

  test.each([
    ['no other account was asked', false],
    ['a wrong account was asked meanwhile', true],
  ])('does not begin with the first round anew under a forgotten key: %s', async (_, isWrong) => {
    const asked = bench.order();
    const refused = { kind: 'refused', failure: 'funding' };
    bench.adyen.fund('EUR', CENTS - 1);
    expect(await bench.rail.submit(asked)).toMatchObject(refused);
    // Held for more than the week for which Adyen knows a key; released then, and taken on in a second round, which Adyen shows.
    bench.clock.advance(8 * 86_400);
    bench.adyen.fund('EUR', 100_000);
    await bench.rail.submit(asked);
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'accepted' });
    const { signal } = new AbortController();
    if (isWrong) {
      bench.adyen.faults.ask(NOTHING); // its books
      expect(await bench.rail.lookup(asked, { signal, movesNothing: 'sent_elsewhere' })).toEqual({
        kind: 'never_seen',
      });
    }
    // The right one again, whose list lags behind.
    bench.adyen.faults.ask({ ...NOTHING, times: 3 });
    const looked = await bench.rail.lookup(asked, { signal, movesNothing: 'at_rest' });
    const sentAgain = await bench.rail.submit(asked);
    expect([looked.kind, sentAgain.kind, bench.out(asked)]).toEqual(['unknown', 'unknown', CENTS]);
  });
});
