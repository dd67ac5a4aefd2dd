/** A no is definite, of a known class, and moves nothing. */
import type { Refused } from '#libs/rail-kit';
import type { Check } from '../check';

const CLASSES: readonly Refused['failure'][] = ['permanent', 'transient', 'funding'];

export const REFUSALS: Check[] = CLASSES.flatMap((failure) => [isRefused(failure), mayBeTriedAgain(failure)]);

function isRefused(failure: Refused['failure']): Check {
  const outcome = `refuse_${failure}` as const;
  return {
    title: `${outcome}: the refusal has its class and a reason, and nothing moved`,
    needs: [outcome],
    run: async (bench) => {
      const order = await bench.arrange(outcome);
      expect(await bench.submit(order)).toEqual({ kind: 'refused', failure, reason: expect.any(String) as string });
      expect(await bench.movements(order)).toEqual([]);
      const later = await bench.lookup(order);
      // Some providers keep no trace of what they refused.
      if (later.kind !== 'never_seen') expect(later).toMatchObject({ kind: 'refused', failure });
    },
  };
}

function mayBeTriedAgain(failure: Refused['failure']): Check {
  const outcome = `refuse_${failure}` as const;
  return {
    title: `${outcome}: sent again, what is said and what moved agree`,
    needs: [outcome],
    run: async (bench) => {
      const order = await bench.arrange(outcome);
      await bench.submit(order);
      const again = await bench.submit(order);
      const moved = await bench.movements(order);
      expect(moved.length).toBeLessThanOrEqual(1);
      if (again.kind === 'refused') expect(moved).toEqual([]);
      if (again.kind === 'settled') expect(moved).toHaveLength(1);
    },
  };
}
