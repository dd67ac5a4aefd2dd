/** A process may end after any line; what the rail must know again stands in its store. */
import { type Check, expectKnownAfterRestore, expectOnItsWay, refOf } from '../check';
import type { ProviderOutcome } from '../subject';

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
  ...(['settle', 'lost_answer'] as const).map(isKnownAfterRestore),
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

function isKnownAfterRestore(outcome: ProviderOutcome): Check {
  return {
    title: `${outcome}: after a restore of the database what moved is told or unknown, and does not move once more`,
    needs: [outcome, 'restored'],
    run: async (bench) => {
      const order = await bench.arrange(outcome);
      await bench.submit(order);
      await expectKnownAfterRestore(bench, order);
    },
  };
}
