/** A call that the payee begins: not before they did, to where they said, once, and what was refused may be started over. */
import { type BegunLeg, letsPayeesBegin, type LookupAnswer, type RailOrder, type SubmitAnswer } from '#libs/rail-kit';
import type { RailBench } from '../bench';
import { type Check, demand, expectOnItsWay, given, refOf } from '../check';
import type { ProviderOutcome } from '../subject';

export const BEGUN: Check[] = [
  {
    title: 'payees begin: the money waits, a look-up by another process says for which call, and nothing leaves before',
    ...ofPayees('payee_begins'),
    run: async (bench) => {
      const { order, first, begins } = await waiting(bench, 'payee_begins');
      bench.restart();
      const seen = await bench.lookup(order);
      expect([beginsOf(seen)?.leg, refOf(seen)]).toEqual([begins.leg, refOf(first)]);
      await expectStillThere(bench, order);
    },
  },
  {
    title: 'payees begin: an address that is none is refused with a reason, and another is taken in one form',
    ...ofPayees('payee_begins'),
    run: async (bench) => {
      const { order } = await waiting(bench, 'payee_begins');
      const { good, bad } = given(bench.world.destinations, 'destinations');
      expect(await bench.checkDestination(order, bad)).toMatchObject({
        kind: 'refused',
        reason: expect.stringMatching(/\S/),
      });
      const [one, other] = [await taken(bench, order, good[0]), await taken(bench, order, good[1])];
      expect(one).not.toBe(other);
      // Whoever enters what they were shown means the same.
      expect([await taken(bench, order, one), await taken(bench, order, ` ${one} `)]).toEqual([one, one]);
      await expectStillThere(bench, order);
    },
  },
  {
    title: 'payees begin: what arrives, and over which network, is said in names that they can read',
    ...ofPayees('payee_begins'),
    run: async (bench) => {
      const name = expect.stringMatching(/^\S.{0,38}\S$/);
      expect(await bench.arrivesAs()).toEqual({ kind: 'arrives', coin: name, network: name });
    },
  },
  {
    title: 'payees begin: a call that is made twice, and five times at once, moves once, to where they said',
    ...ofPayees('payee_begins'),
    run: async (bench) => {
      const { order, first, begins } = await waiting(bench, 'payee_begins');
      const destination = await goodOne(bench, order);
      const facts = await Promise.all(Array.from({ length: 5 }, () => bench.leg(order, begins.leg, destination)));
      for (const fact of facts) expect(['refused', 'awaiting_payee']).not.toContain(fact.kind);
      bench.restart();
      const last = await bench.finish(order, await bench.leg(order, begins.leg, destination));
      expectOnItsWay(last);
      expect(refOf(last)).toBe(refOf(first));
      expect(beginsOf(await bench.lookup(order))).toBeNull();
      await expectThereOnce(bench, order, destination);
    },
  },
  {
    title: 'payees begin: begun_lost_answer: it is unknown, a look-up knows, and made again it moves once',
    ...ofPayees('begun_lost_answer'),
    run: async (bench) => {
      const { order, begins } = await waiting(bench, 'begun_lost_answer');
      const destination = await goodOne(bench, order);
      expect((await bench.leg(order, begins.leg, destination)).kind).toBe('unknown');
      bench.restart();
      const seen = await bench.lookup(order);
      expectOnItsWay(seen);
      // What is on its way is not to be begun.
      expect(beginsOf(seen)).toBeNull();
      await bench.finish(order, await bench.leg(order, begins.leg, destination));
      await expectThereOnce(bench, order, destination);
    },
  },
  {
    title: 'payees begin: begun_read_later: what was sent is not called not_now, and made again it moves once',
    ...ofPayees('begun_read_later'),
    run: async (bench) => {
      const { order, begins } = await waiting(bench, 'begun_read_later');
      const destination = await goodOne(bench, order);
      const { kind } = await bench.leg(order, begins.leg, destination);
      demand(
        kind !== 'not_now',
        'The provider took what the payee began, and puts off the question after it; the rail answers `not_now`, which says that nothing ' +
          'was done. Whoever is asked then where to once more is paid twice. Once something was sent it is `unknown`: `afterSending` of the kit.',
      );
      bench.restart();
      await bench.finish(order, await bench.leg(order, begins.leg, destination));
      await expectThereOnce(bench, order, destination);
    },
  },
  {
    title: 'payees begin: what is refused still waits, by the key of the call, and goes elsewhere under another one',
    ...ofPayees('begun_refused'),
    run: async (bench) => {
      const { order, begins } = await waiting(bench, 'begun_refused');
      const first = await bench.leg(order, begins.leg, await goodOne(bench, order));
      const key = bench.keyOf(order, begins.leg);
      bench.restart();
      const again = await bench.leg(order, begins.leg);
      for (const fact of [first, again, await bench.lookup(order)])
        expect(beginsOf(fact)).toMatchObject({ leg: begins.leg, refused: { key } });
      await expectStillThere(bench, order);
      bench.newRound(order);
      const { good } = given(bench.world.destinations, 'destinations');
      const destination = await taken(bench, order, good[1]);
      expectOnItsWay(await bench.finish(order, await bench.leg(order, begins.leg, destination)));
      expect(beginsOf(await bench.lookup(order))).toBeNull();
      await expectThereOnce(bench, order, destination);
    },
  },
];

function ofPayees(outcome: ProviderOutcome): Pick<Check, 'needs' | 'power'> {
  return { needs: [outcome], power: letsPayeesBegin };
}

const beginsOf = (fact: LookupAnswer): BegunLeg | null => ('begins' in fact && fact.begins) || null;

interface Waiting {
  order: RailOrder;
  first: SubmitAnswer;
  begins: BegunLeg;
}

/** All calls that the rail asks for until it waits for its payee. */
async function waiting(bench: RailBench, outcome: ProviderOutcome): Promise<Waiting> {
  const order = await bench.arrange(outcome);
  const first = await bench.submit(order);
  const begins = beginsOf(first);
  if (!begins)
    throw new Error(`The rail has to wait for its payee and to say which call \`begins\`; it was ${first.kind}.`);
  expect(begins.refused).toBeUndefined();
  return { order, first, begins };
}

async function taken(bench: RailBench, order: RailOrder, entered: string): Promise<string> {
  const answer = await bench.checkDestination(order, entered);
  if (answer.kind !== 'taken') throw new Error(`A good address was not taken: ${answer.kind}.`);
  expect(answer.destination).toMatch(/^\S(.*\S)?$/);
  return answer.destination;
}

const goodOne = (bench: RailBench, order: RailOrder): Promise<string> =>
  taken(bench, order, given(bench.world.destinations, 'destinations').good[0]);

/** In the wallet of its payee: it left our account, and arrived nowhere. */
async function expectStillThere(bench: RailBench, order: RailOrder): Promise<void> {
  expect(await reached(bench, order)).toEqual([]);
  expect(await bench.movements(order)).toEqual([]);
}

async function expectThereOnce(bench: RailBench, order: RailOrder, destination: string): Promise<void> {
  const { amountCents, currency } = order;
  expect(await reached(bench, order)).toEqual([destination]);
  expect(await bench.movements(order)).toEqual([{ amountCents, currency }]);
  expect(await bench.out(order)).toBe(amountCents);
}

async function reached(bench: RailBench, { railKey }: RailOrder): Promise<string[]> {
  return given(bench.world.destinations, 'destinations').reached(railKey);
}
