/** If nobody can know the outcome the rail says so, and the truth comes out on asking. */
import { asTheCoreSeesIt } from '../as-the-core-sees-it';
import { type Check, demand, expectOnItsWay, hasLeft, saysOnlyThatItTook } from '../check';
import type { ProviderOutcome } from '../subject';

const FAULTS: readonly ProviderOutcome[] = ['lost_answer', 'server_error', 'hang', 'garbage'];

export const DOUBT: Check[] = [
  ...FAULTS.flatMap((fault) => [leavesInDoubt(fault), tellsTheTruthAfter(fault), movesOnceAfter(fault)]),
  {
    title: 'aborted before it began, a submission sends nothing; sent again, it moves once',
    // What never hangs answers before anybody gives up waiting for it.
    needs: ['settle', 'hang'],
    run: async (bench) => {
      const order = await bench.arrange('settle');
      const { kind } = await asTheCoreSeesIt(() => bench.rail.submit(order, { signal: AbortSignal.abort() }));
      demand(
        kind === 'unknown' && !(await hasLeft(bench, order)),
        `Nobody waits for the answer any more, and \`submit\` goes on: '${kind}'. Hand \`call.signal\` to each call of \`Transport\`.`,
      );
      expectOnItsWay(await bench.submit(order));
      expect(await bench.movements(order)).toHaveLength(1);
    },
  },
  {
    title: 'an order that was never sent was never seen',
    needs: [],
    run: async (bench) => {
      expect((await bench.lookup(await bench.arrange('settle'))).kind).toBe('never_seen');
    },
  },
  {
    title: 'a provider that cannot be asked leaves a payment unknown, never unseen',
    needs: ['lookup_down'],
    run: async (bench) => {
      const order = await bench.arrange('lookup_down');
      await bench.submit(order);
      expect((await bench.lookup(order)).kind).toBe('unknown');
      expectOnItsWay(await bench.lookup(order));
    },
  },
  {
    title: 'another amount than was ordered is not passed off as this order',
    needs: ['wrong_amount'],
    run: async (bench) => {
      const order = await bench.arrange('wrong_amount');
      const [sent, seen] = [await bench.submit(order), await bench.lookup(order)];
      for (const fact of saysOnlyThatItTook(sent) ? [seen] : [sent, seen]) {
        if (fact.kind === 'unknown') continue;
        const { echo } = fact as { echo?: unknown };
        expect(echo).toBeDefined();
        expect(echo).not.toEqual({ amountCents: order.amountCents, currency: order.currency });
      }
    },
  },
];

function leavesInDoubt(fault: ProviderOutcome): Check {
  return {
    title: `${fault}: the outcome is unknown`,
    needs: [fault],
    run: async (bench) => {
      expect((await bench.submit(await bench.arrange(fault))).kind).toBe('unknown');
    },
  };
}

function tellsTheTruthAfter(fault: ProviderOutcome): Check {
  return {
    title: `${fault}: a lookup tells what the provider really did`,
    needs: [fault],
    run: async (bench) => {
      const order = await bench.arrange(fault);
      await bench.submit(order);
      bench.restart(); // the process that asks is seldom the one that sent
      const fact = await bench.lookup(order);
      if (await hasLeft(bench, order)) expectOnItsWay(fact);
      else expect(['never_seen', 'unknown']).toContain(fact.kind);
    },
  };
}

function movesOnceAfter(fault: ProviderOutcome): Check {
  return {
    title: `${fault}: sent again, it is one movement and no refusal`,
    needs: [fault],
    run: async (bench) => {
      const order = await bench.arrange(fault);
      await bench.submit(order);
      expect((await bench.submit(order)).kind).not.toBe('refused');
      expect(await bench.movements(order)).toHaveLength(1);
    },
  };
}
