/** A no is definite, of a known class, and moves nothing. */
import { REFUSAL_CLASSES, type Refused } from '#libs/rail-kit';
import { type Check, expectKnownAfterRestore, expectNotDenied, expectOnItsWay, expectRest } from '../check';

const NOT_NOW: Check = {
  title: 'not_now: it is said and is no refusal, nothing moved, and sent again it moves once',
  needs: ['not_now'],
  run: async (bench) => {
    const order = await bench.arrange('not_now');
    expect((await bench.submit(order)).kind).toBe('not_now');
    expect(await bench.movements(order)).toEqual([]);
    expectOnItsWay(await bench.submit(order));
    expect(await bench.movements(order)).toHaveLength(1);
  },
};

const FOR_HOW_LONG: Check = {
  title: 'not_now: for as long as the provider asks for',
  needs: ['not_now', 'says_how_long'],
  run: async (bench) => {
    const answer = await bench.submit(await bench.arrange('not_now'));
    expectRest(answer);
  },
};

/** No submission is refused because nobody came for it: only a look-up tells that. */
type AtOnce = Exclude<Refused['failure'], 'expired'>;
const AT_ONCE = REFUSAL_CLASSES.filter((failure): failure is AtOnce => failure !== 'expired');

export const REFUSALS: Check[] = [
  ...AT_ONCE.flatMap((failure) => [isRefused(failure), mayBeTriedAgain(failure), isKnownAfterRestore(failure)]),
  NOT_NOW,
  FOR_HOW_LONG,
];

function isRefused(failure: AtOnce): Check {
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

function mayBeTriedAgain(failure: AtOnce): Check {
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
      bench.restart(); // the process that asks is seldom the one that sent
      await expectNotDenied(bench, order, 'lookup', await bench.lookup(order));
    },
  };
}

/** A restored database may know neither that it was refused nor that it was sent again. */
function isKnownAfterRestore(failure: AtOnce): Check {
  const outcome = `refuse_${failure}` as const;
  return {
    title: `${outcome}: what was paid when it was sent again is no refusal to an empty store, and is not paid once more`,
    needs: [outcome, 'restored'],
    run: async (bench) => {
      const order = await bench.arrange(outcome);
      await bench.submit(order);
      await bench.submit(order);
      await expectKnownAfterRestore(bench, order);
    },
  };
}
