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
      expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'unknown', contradicts: true });
      await bench.rail.submit(asked);
      expect(bench.legs(asked)).toHaveLength(1);
    } finally {
      await bench.world.close?.();
    }
  });

  it('says so of what was drained after it was taken back', async () => {
    const bench = await SwapBench.open();
    try {
      const asked = await bench.waiting();
      await bench.waiting({ payee: asked.payee, payeeKey: asked.payeeKey });
      await bench.rail.advance(asked, bench.call());
      const [drain] = bench.world.circle.transactionsOf(asked.railKey, 'drain');
      if (!drain) throw new Error('There is no drain.');
      drain.state = 'FAILED';
      expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'awaiting_payee' });
      bench.takesBack(asked);
      bench.clock.advance(700);
      expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'refused', failure: 'expired' });
      drain.state = 'COMPLETE';
      expect(await bench.rail.lookup(asked)).toMatchObject({ kind: 'unknown', contradicts: true });
    } finally {
      await bench.world.close?.();
    }
  });
});
