/** Circle says that the first leg came to nothing, and has a drain of it: nobody is paid twice by that. */
import { SwapBench } from './swap-rail.bench.fake';

describe('swap_rail, of books that contradict themselves', () => {
  it('does not call refused what was drained', async () => {
    const bench = await SwapBench.open();
    try {
      const asked = await bench.waiting();
      expect(await bench.rail.advance(asked, bench.call())).toMatchObject({ kind: 'settled' });
      const [leg] = bench.world.circle.transactionsOf(asked.railKey, 'pay');
      if (!leg) throw new Error('There is no first leg.');
      leg.state = 'FAILED';
      expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'unknown' });
      await bench.rail.submit(asked);
      expect(bench.legs(asked)).toHaveLength(1);
    } finally {
      await bench.world.close?.();
    }
  });
});
