/** The powers a rail opted into by implementing them. */
import { isDeepStrictEqual } from 'node:util';
import {
  leadsPayees,
  type OutcomeFact,
  type PayeeLinkAnswer,
  type Rail,
  type RailOrder,
  readsNotices,
  type TakesDirection,
  takesDirection,
} from '#libs/rail-kit';
import type { RailBench } from '../bench';
import { type Check, demand, expectOnItsWay, given, refOf } from '../check';

export const POWERS: Check[] = [
  {
    title: 'reads notices: a genuine one names its railKey, with one id however often it comes',
    needs: ['settle'],
    power: readsNotices,
    run: async (bench) => {
      const { rail, world } = bench;
      if (!readsNotices(rail)) throw lacking();
      const order = await bench.arrange('settle');
      await bench.submit(order);
      const notice = await given(world.notice, 'notice').call(world, order);
      const readings = [await rail.readNotice(notice), await rail.readNotice(notice)];
      expect(readings[0]).toMatchObject({ kind: 'hints', railKeys: [order.railKey] });
      expect(readings[1]).toEqual(readings[0]);
    },
  },
  {
    title: 'reads notices: a changed or unsigned one is forged',
    needs: ['settle'],
    power: readsNotices,
    run: async (bench) => {
      const { rail, world } = bench;
      if (!readsNotices(rail)) throw lacking();
      const order = await bench.arrange('settle');
      await bench.submit(order);
      const { headers, body } = await given(world.notice, 'notice').call(world, order);
      const changed = Buffer.concat([body, Buffer.from(' ')]);
      expect(await rail.readNotice({ headers, body: changed })).toEqual({ kind: 'forged' });
      expect(await rail.readNotice({ headers: {}, body })).toEqual({ kind: 'forged' });
    },
  },
  {
    title:
      'leads payees: to a page of a payment that waits, by a new link each time, and it stays one movement with one reference',
    needs: ['accept'],
    power: leadsPayees,
    run: async (bench) => {
      const order = await bench.arrange('accept');
      const sent = await bench.submit(order);
      const urls = new Set<string>();
      for (const isFirst of [true, false]) {
        const answer = await linkTo(bench, order);
        if (answer.kind !== 'link') throw new Error(`Their payee came, first: ${isFirst}, and is led nowhere.`);
        urls.add(answer.url);
        await handedOver(bench, order, answer.of);
      }
      expect(urls.size).toBe(2);
      const seen = await bench.lookup(order);
      expectOnItsWay(seen);
      expect(refOf(seen)).toBe(refOf(sent));
      expect(await bench.movements(order)).toHaveLength(1);
    },
  },
  {
    title: 'leads payees: a link that was made, and not handed over, leaves the payment as it was',
    needs: ['accept'],
    power: leadsPayees,
    run: async (bench) => {
      const order = await bench.arrange('accept');
      await bench.submit(order);
      const before = await bench.lookup(order);
      expect((await linkTo(bench, order)).kind).toBe('link');
      demand(
        isDeepStrictEqual(await bench.lookup(order), before),
        'A link was made, and `lookup` answers something else since. Its payee may be blocked by then, and the link is dropped: note in ' +
          '`handedOver`, and nowhere else, that they were led there.',
      );
    },
  },
  {
    title: 'leads payees: nobody to what was never sent',
    needs: ['accept'],
    power: leadsPayees,
    run: async (bench) => {
      const order = await bench.arrange('accept');
      expect((await linkTo(bench, order)).kind).not.toBe('link');
      expect(await bench.lookup(order)).toEqual({ kind: 'never_seen' });
    },
  },
  {
    title: 'takes direction: an accepted payment settles, and the core gets a hint',
    needs: ['accept'],
    power: takesDirection,
    run: async (bench) => {
      const order = await bench.arrange('accept');
      await directed(bench, order, { kind: 'settled' });
      expect((await bench.lookup(order)).kind).toBe('settled');
      expect(await bench.movements(order)).toHaveLength(1);
      expect(bench.hints).toContain(order.railKey);
    },
  },
  {
    title: 'takes direction: an accepted payment is refused, and nothing moves',
    needs: ['accept'],
    power: takesDirection,
    run: async (bench) => {
      const order = await bench.arrange('accept');
      const refusal = { kind: 'refused', failure: 'permanent', reason: 'account closed' } as const;
      await directed(bench, order, refusal);
      expect(await bench.lookup(order)).toEqual(refusal);
      expect(await bench.movements(order)).toEqual([]);
    },
  },
  {
    title: 'takes direction: a settled payment bounces with its fee, and cannot bounce what never settled',
    needs: ['settle', 'accept'],
    power: takesDirection,
    run: async (bench) => {
      const order = await bench.arrange('settle');
      await directed(bench, order, { kind: 'bounced', feeCents: 25 });
      expect(await bench.lookup(order)).toEqual({ kind: 'bounced', feeCents: 25 });
      const pending = await bench.arrange('accept');
      await expect(directed(bench, pending, { kind: 'bounced', feeCents: 25 })).rejects.toThrow();
    },
  },
];

async function directed(bench: RailBench, order: RailOrder, outcome: OutcomeFact): Promise<void> {
  const rail: Rail & Partial<TakesDirection> = bench.rail;
  if (!takesDirection(rail)) throw lacking();
  await bench.submit(order);
  await rail.direct(order, outcome);
}

/** It belongs to its payee alone, and stands in no log. */
async function linkTo(bench: RailBench, order: RailOrder): Promise<PayeeLinkAnswer> {
  const { rail } = bench;
  if (!leadsPayees(rail)) throw lacking();
  const answer = await rail.payeeLink(order);
  if (answer.kind === 'link') bench.keepsPrivate(answer.url);
  return answer;
}

async function handedOver({ rail }: RailBench, order: RailOrder, of: string): Promise<void> {
  if (!leadsPayees(rail)) throw lacking();
  await rail.handedOver(order, of);
}

const lacking = (): Error => new Error('This check is not for a rail without the power.');
