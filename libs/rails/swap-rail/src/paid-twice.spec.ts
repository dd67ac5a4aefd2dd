/**
 * Circle takes back what it said of a transfer. What moved twice is told as the sum: the core takes nothing else for news of a payout that is paid,
 * and nothing but `contradicts`, a sum or money for news of one that failed (ADR 130). This rail lists no movements, so nobody else would tell.
 */
import { SwapBench, ELSEWHERE } from './swap-rail.bench.fake';

describe('swap_rail, of what Circle paid after all', () => {
  let bench: SwapBench;
  beforeEach(async () => (bench = await SwapBench.open()));
  afterEach(() => bench.world.close?.());

  it('names a second drain of a payout that was paid by another one', async () => {
    const asked = await bench.waiting();
    await bench.waiting({ payee: asked.payee, payeeKey: asked.payeeKey }); // another payout of this payee lies in the same wallet
    await bench.rail.advance(asked, bench.call());
    const [first] = bench.world.circle.transactionsOf(asked.railKey, 'drain');
    if (!first) throw new Error('There is no drain.');
    first.state = 'FAILED';
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'awaiting_payee' });
    bench.clock.advance(700);
    expect(await bench.rail.advance(asked, bench.call(ELSEWHERE))).toMatchObject({ kind: 'settled' });
    first.state = 'COMPLETE'; // it arrived after all
    expect(bench.drains(asked).filter((each) => each.startsWith('COMPLETE'))).toHaveLength(2);
    // The core takes what only contradicts itself for no news of what is paid.
    expect(await bench.rail.lookup(asked)).toMatchObject({
      kind: 'settled',
      echo: { amountCents: 2 * asked.amountCents },
    });
  });

  it('names the money of a payout that failed, if two of its first legs arrived after all', async () => {
    const asked = await bench.waiting();
    const legs = () => bench.world.circle.transactionsOf(asked.railKey, 'pay');
    for (const leg of legs()) leg.state = 'FAILED';
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'refused' });
    bench.clock.advance(700);
    expect(await bench.rail.submit(asked)).toMatchObject({ kind: 'awaiting_payee' });
    for (const leg of legs()) leg.state = 'FAILED';
    expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'refused' });
    bench.clock.advance(700);
    for (const leg of legs()) leg.state = 'COMPLETE';
    expect(legs()).toHaveLength(2);
    const told = await bench.rail.lookup(asked, { signal: new AbortController().signal, movesNothing: 'at_rest' });
    const isNews = told.kind !== 'unknown' || told.contradicts === true;
    expect({ told, isNews }).toMatchObject({ isNews: true });
  });
});
