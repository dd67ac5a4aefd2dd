/** A payout of several calls: each is made once, a crash between two of them goes on, and a refusal leaves nothing out. */
import { movesInLegs, type NextLeg, type RailOrder, type SubmitAnswer } from '#libs/rail-kit';
import { nextOf, type RailBench } from '../bench';
import { type Check, expectOnItsWay, refOf } from '../check';
import type { ProviderOutcome } from '../subject';

const DOUBTFUL = ['leg_lost_answer', 'leg_server_error'] as const;

export const LEGS: Check[] = [
  {
    title:
      'moves in legs: after the first call a look-up by another process names the next one, and it is paid at the end',
    ...ofLegs('in_legs'),
    run: async (bench) => {
      const { order, first, next } = await begun(bench, 'in_legs');
      bench.restart();
      const seen = await bench.lookup(order);
      expect([nextOf(seen)?.leg, refOf(seen)]).toEqual([next.leg, refOf(first)]);
      const last = await bench.finish(order, first);
      expectOnItsWay(last);
      expect(refOf(last)).toBe(refOf(first));
      await expectMovedOnce(bench, order);
    },
  },
  {
    title: 'moves in legs: a call that is made twice, and five times at once, moves once',
    ...ofLegs('in_legs'),
    run: async (bench) => {
      const { order, first, next } = await begun(bench, 'in_legs');
      bench.advance(next.afterSeconds ?? 0);
      const facts = await Promise.all(Array.from({ length: 5 }, () => bench.leg(order, next.leg)));
      expect(facts.map(({ kind }) => kind)).not.toContain('refused');
      bench.restart();
      await bench.finish(order, await bench.leg(order, next.leg));
      // The first call again: it is done.
      expect((await bench.begin(order)).kind).not.toBe('refused');
      await expectMovedOnce(bench, order);
      expect(refOf(await bench.lookup(order))).toBe(refOf(first));
    },
  },
  ...DOUBTFUL.map(isAskedAbout),
  {
    title: 'moves in legs: when a refusal is said, nothing is out any more',
    ...ofLegs('leg_refused'),
    run: async (bench) => {
      const { order, first } = await begun(bench, 'leg_refused');
      const last = await bench.finish(order, first);
      expect(last.kind).toBe('refused');
      expect([await bench.out(order), await bench.movements(order)]).toEqual([0, []]);
      expect(['refused', 'never_seen']).toContain((await bench.lookup(order)).kind);
    },
  },
  {
    title: 'moves in legs: a refusal is not said while money is out, whoever asks in between',
    ...ofLegs('leg_refused'),
    run: async (bench) => {
      const { order, first } = await begun(bench, 'leg_refused');
      let fact = first;
      for (let next = nextOf(fact); next !== null; next = nextOf(fact)) {
        bench.advance(next.afterSeconds ?? 0);
        fact = await bench.leg(order, next.leg);
        const seen = await bench.lookup(order);
        if ((await bench.out(order)) > 0) for (const { kind } of [fact, seen]) expect(kind).not.toBe('refused');
      }
    },
  },
  {
    title: 'moves in legs: tried again after a refusal, what is said and what is out agree',
    ...ofLegs('leg_refused'),
    run: async (bench) => {
      const { order, first } = await begun(bench, 'leg_refused');
      await bench.finish(order, first);
      bench.newRound(order);
      const again = await bench.submit(order);
      if (again.kind === 'refused') expect(await bench.out(order)).toBe(0);
      else await expectMovedOnce(bench, order);
    },
  },
  {
    title: 'moves in legs: a later call is made past the time for which the first key is honoured',
    needs: ['in_legs'],
    power: (rail, { keyRetentionSeconds }) => movesInLegs(rail) && keyRetentionSeconds !== null,
    run: async (bench) => {
      const { order, first } = await begun(bench, 'in_legs');
      bench.advance((bench.traits.keyRetentionSeconds ?? 0) + 1);
      bench.restart();
      expectOnItsWay(await bench.finish(order, first));
      await expectMovedOnce(bench, order);
    },
  },
  {
    title: 'moves in legs: a rail that looks before it calls makes no call twice whose own key is forgotten',
    needs: ['leg_lost_answer'],
    power: (rail, { looksBeforeCalls }) => movesInLegs(rail) && looksBeforeCalls === true,
    run: async (bench) => {
      const { order, next } = await begun(bench, 'leg_lost_answer');
      bench.advance(next.afterSeconds ?? 0);
      expect((await bench.leg(order, next.leg)).kind).toBe('unknown');
      bench.advance(2 * (bench.traits.keyRetentionSeconds ?? 0) + 1);
      bench.restart();
      expectOnItsWay(await bench.leg(order, next.leg));
      await expectMovedOnce(bench, order);
    },
  },
];

function isAskedAbout(outcome: (typeof DOUBTFUL)[number]): Check {
  return {
    title: `moves in legs: ${outcome}: it is unknown, a look-up knows, and made again it moves once`,
    ...ofLegs(outcome),
    run: async (bench) => {
      const { order, next } = await begun(bench, outcome);
      bench.advance(next.afterSeconds ?? 0);
      expect((await bench.leg(order, next.leg)).kind).toBe('unknown');
      bench.restart();
      expectOnItsWay(await bench.lookup(order));
      await bench.finish(order, await bench.leg(order, next.leg));
      await expectMovedOnce(bench, order);
    },
  };
}

function ofLegs(outcome: ProviderOutcome): Pick<Check, 'needs' | 'power'> {
  return { needs: [outcome], power: movesInLegs };
}

interface Begun {
  order: RailOrder;
  first: SubmitAnswer;
  next: NextLeg;
}

async function begun(bench: RailBench, outcome: ProviderOutcome): Promise<Begun> {
  const order = await bench.arrange(outcome);
  const first = await bench.begin(order);
  const next = nextOf(first);
  if (!next) throw new Error(`The first call has to be accepted and to name the \`next\` one; it was ${first.kind}.`);
  return { order, first, next };
}

async function expectMovedOnce(bench: RailBench, order: RailOrder): Promise<void> {
  const { amountCents, currency } = order;
  expect(await bench.movements(order)).toEqual([{ amountCents, currency }]);
  expect(await bench.out(order)).toBe(amountCents);
}
