/** A page of Adyen's on which only other transfers stand says nothing of the one that was asked for. */
import { PaymentBench } from './payment-bench.fake';

const AT_REST = { signal: new AbortController().signal, movesNothing: 'at_rest' } as const;
const LIST = { method: 'GET', path: '/btl/v4/transfers' };
const THEIRS = { effect: 'reworded', match: LIST, words: { reference: 'of-others' } } as const;

describe('custodial_b, when Adyen lists other transfers than were asked for', () => {
  it('calls nothing unseen, and sends nothing', async () => {
    const bench = await PaymentBench.open();
    try {
      const asked = bench.order();
      await bench.rail.submit(asked);
      bench.forgetsAll();
      bench.adyen.faults.ask(THEIRS);
      expect(await bench.rail.lookup(asked, AT_REST)).toMatchObject({ kind: 'unknown' });
      bench.clock.advance(8 * 86_400); // Adyen knows no key any more
      bench.adyen.faults.ask(THEIRS);
      const out = bench.out(asked);
      expect(await bench.rail.submit(asked)).toMatchObject({ kind: 'unknown' });
      expect(bench.out(asked)).toBe(out);
    } finally {
      await bench.close();
    }
  });
});
