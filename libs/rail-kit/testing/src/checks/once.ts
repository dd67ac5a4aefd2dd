/** One railKey is one movement, however often and however closely together it is sent. */
import type { SubmitAnswer } from '#libs/rail-kit';
import { type Check, expectOnItsWay, refOf, saysOnlyThatItTook } from '../check';
import { otherAmount } from '../order';

export const ONCE: Check[] = [
  {
    title: 'the same railKey twice is one movement with one reference',
    needs: ['settle'],
    run: async (bench) => {
      const order = await bench.arrange('settle');
      const [first, second] = [await bench.submit(order), await bench.submit(order)];
      for (const fact of [first, second]) expectOnItsWay(fact);
      expect(refOf(second)).toBe(refOf(first));
      expect(await bench.movements(order)).toEqual([{ amountCents: order.amountCents, currency: order.currency }]);
    },
  },
  {
    title: 'the same railKey five times at once is one movement',
    needs: ['settle'],
    run: async (bench) => {
      const order = await bench.arrange('settle');
      const facts = await Promise.all(Array.from({ length: 5 }, () => bench.submit(order)));
      // A provider may turn the later ones away while the first is under way: that is not known, and never a refusal.
      expect(facts.map(({ kind }) => kind)).not.toContain('refused');
      // On a slow machine all five may have run out of time.
      const last = await bench.submit(order);
      expect(await bench.movements(order)).toHaveLength(1);
      expect(refsOf([...facts, last])).toHaveLength(1);
    },
  },
  {
    title: 'another amount under a used railKey moves nothing and is not taken for this order',
    needs: ['settle'],
    run: async (bench) => {
      const order = await bench.arrange('settle');
      await bench.submit(order);
      const other = { ...order, amountCents: otherAmount(bench.traits, order) };
      const sent = await bench.submit(other);
      expect(await bench.movements(order)).toEqual([{ amountCents: order.amountCents, currency: order.currency }]);
      const fact = saysOnlyThatItTook(sent) ? await bench.lookup(other) : sent;
      if (fact.kind !== 'unknown') expect(fact).toHaveProperty('echo.amountCents', order.amountCents);
    },
  },
  {
    title: 'a settled payment is still settled when it is looked up, with the same reference',
    needs: ['settle'],
    run: async (bench) => {
      const order = await bench.arrange('settle');
      const sent = await bench.submit(order);
      if (bench.traits.settles === 'at_once') expect(sent.kind).toBe('settled');
      const seen = await bench.lookup(order);
      expect(seen.kind).toBe('settled');
      expect(refOf(seen)).toBe(refOf(sent));
    },
  },
  {
    title: 'an accepted payment keeps its reference and is not called settled',
    needs: ['accept'],
    run: async (bench) => {
      const order = await bench.arrange('accept');
      const facts = [await bench.submit(order), await bench.submit(order), await bench.lookup(order)];
      for (const { kind } of facts) expect(['accepted', 'awaiting_payee', 'claimed']).toContain(kind);
      expect(new Set(facts.map(refOf)).size).toBe(1);
    },
  },
];

const refsOf = (facts: SubmitAnswer[]): string[] => [...new Set(facts.map(refOf).filter((ref) => ref !== null))];
