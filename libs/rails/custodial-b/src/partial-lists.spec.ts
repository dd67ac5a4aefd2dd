/** Adyen says that there is more, and in no way that can be read: what was listed so far is not all that there is. */
import { PaymentBench } from './payment-bench.fake';

const LIST = { method: 'GET', path: '/btl/v4/transfers' };
const AT_REST = { signal: new AbortController().signal, movesNothing: 'at_rest' } as const;

describe('custodial_b, of a list that goes on', () => {
  let bench: PaymentBench;
  beforeEach(async () => {
    bench = await PaymentBench.open();
  });
  afterEach(() => bench.close());

  const goesOn = (href: string): void => {
    const body = { data: [], _links: { next: { href } } };
    bench.adyen.faults.ask({ effect: 'answer', match: LIST, answer: { status: 200, body } });
  };

  it.each(['/btl/v4/transfers?page=2', 'https://[', ''])(
    'does not call never seen what may stand behind %j',
    async (href) => {
      const asked = bench.order();
      await bench.rail.submit(asked);
      bench.forgetsAll();
      goesOn(href);
      expect((await bench.rail.lookup(asked, AT_REST)).kind).toBe('unknown');
    },
  );

  it('does not take it for the whole list of what moved', async () => {
    await bench.rail.submit(bench.order());
    goesOn('/btl/v4/transfers?page=2');
    const all = async (): Promise<void> => {
      for await (const page of bench.rail.movements(new Date(bench.clock.now().getTime() - 60_000))) void page;
    };
    await expect(all()).rejects.toThrow();
  });
});
