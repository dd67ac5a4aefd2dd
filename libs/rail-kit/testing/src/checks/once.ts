/** One railKey is one movement, however often and however closely together it is sent. */
import type { SubmitAnswer } from '#libs/rail-kit';
import { type Check, demand, expectOnItsWay, refOf, saysOnlyThatItTook } from '../check';
import { otherAmount, testKey } from '../order';

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
    title: 'two railKeys that differ only in their last character are two movements',
    needs: ['settle'],
    run: async (bench) => {
      const railKey = testKey();
      const other = railKey.slice(0, -1) + (railKey.endsWith('0') ? '1' : '0');
      const refs: (string | null)[] = [];
      for (const key of [railKey, other]) {
        const order = await bench.arrange('settle', { railKey: key });
        await bench.submit(order);
        refs.push(refOf(await bench.lookup(order)));
        expect(await bench.movements(order)).toHaveLength(1);
      }
      demand(
        refs[0] !== refs[1],
        `Two payouts, '${railKey}' and '${other}', became one payment. ` +
          'Send the whole railKey or, if the provider takes less of it, a digest of the whole.',
      );
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
