/** A process may end after any line; what the rail must know again stands in its store. */
import { type Check, expectOnItsWay, refOf } from '../check';

export const MEMORY: Check[] = [
  {
    title: 'after a restart the same railKey is still one movement with one reference',
    needs: ['settle'],
    run: async (bench) => {
      const order = await bench.arrange('settle');
      const before = await bench.submit(order);
      bench.restart();
      const after = [await bench.lookup(order), await bench.submit(order)];
      for (const fact of after) {
        expectOnItsWay(fact);
        expect(refOf(fact)).toBe(refOf(before));
      }
      expect(await bench.movements(order)).toHaveLength(1);
    },
  },
  {
    title: 'two processes with the same railKey are one movement',
    needs: ['settle'],
    run: async (bench) => {
      const order = await bench.arrange('settle');
      const first = bench.submit(order);
      bench.restart();
      await Promise.all([first, bench.submit(order)]);
      expect(await bench.movements(order)).toHaveLength(1);
    },
  },
];
