/** What becomes of a payment after the call: it settles, comes back or expires, and only a look-up tells. */
import { listsMovements, type LookupAnswer, type RailOrder, type RailTraits, type SubmitAnswer } from '#libs/rail-kit';
import { listedBy, nextOf, type RailBench } from '../bench';
import { type Check, demand, expectOnItsWay, given, refOf } from '../check';
import type { ProviderEvent, ProviderOutcome } from '../subject';

const comesBack = (traits: RailTraits): boolean => traits.returns !== null;
/** Longer than any provider remembers a key that it does not remember for ever. */
const LONG_SECONDS = 100 * 86_400;
/** What a provider may say by mistake. */
const NO_FEES = [Number.NaN, -1, 0.5];

export const LATER: Check[] = [
  {
    title: 'settles later: a look-up tells, with the reference of the submission',
    needs: ['accept'],
    power: (_, { settles }) => settles === 'later',
    run: async (bench) => {
      const { order, sent } = await submitted(bench, 'accept');
      const seen = await after(bench, order, { kind: 'settles' });
      expect([seen.kind, refOf(seen)]).toEqual(['settled', refOf(sent)]);
      expect(await bench.movements(order)).toHaveLength(1);
    },
  },
  {
    title: 'refused_later: a look-up tells it, with its class, and nothing moved',
    needs: ['refused_later'],
    power: (_, { settles }) => settles === 'later',
    run: async (bench) => {
      const { order, sent } = await submitted(bench, 'refused_later');
      expect(['accepted', 'awaiting_payee', 'claimed']).toContain(sent.kind);
      const { world } = bench;
      await given(world.happens, 'happens').call(world, order.railKey, { kind: 'refused' });
      bench.restart();
      // In legs it is refused once the money is back.
      const seen = await bench.finish(order, (await bench.lookup(order)) as SubmitAnswer);
      demand(seen.kind === 'refused' && seen.failure !== 'expired', deniedLater(seen));
      expect([await bench.movements(order), await bench.out(order)]).toEqual([[], 0]);
      bench.restart();
      expect(await bench.lookup(order)).toMatchObject({ kind: 'refused', failure: seen.failure });
    },
  },
  bouncesWith('nothing', ['settle'], () => 0),
  bouncesWith('some of it', ['settle', 'bounce_keeps'], ({ amountCents }) => Math.ceil(amountCents / 10)),
  bouncesWith('all of it', ['settle', 'bounce_keeps'], ({ amountCents }) => amountCents),
  {
    title: 'bounces: a fee that is no amount, or more than the payment, is not passed on as if it were one',
    needs: ['settle', 'bounce_keeps'],
    power: (_, traits) => comesBack(traits),
    run: async (bench) => {
      for (const feeCents of NO_FEES) {
        const { order } = await submitted(bench, 'settle');
        // That the fact is well formed is looked at with every fact.
        expect(['unknown', 'bounced']).toContain((await after(bench, order, { kind: 'bounces', feeCents })).kind);
      }
      const { order } = await submitted(bench, 'settle');
      const seen = await after(bench, order, { kind: 'bounces', feeCents: order.amountCents + 1 });
      if (seen.kind === 'bounced') expect(seen.feeCents).toBeGreaterThanOrEqual(order.amountCents);
      else expect(seen.kind).toBe('unknown');
    },
  },
  {
    title: 'bounces: what came back is listed as a movement back, less what was kept',
    needs: ['settle'],
    power: (rail, { returns }) => listsMovements(rail) && returns?.listed === true,
    run: async (bench) => {
      const { order } = await submitted(bench, 'settle');
      const feeCents = Math.ceil(order.amountCents / 10);
      await after(bench, order, { kind: 'bounces', feeCents });
      const { rail } = bench;
      const listed = listsMovements(rail) ? await listedBy(rail, new Date(0)) : [];
      const told = listed.map(({ direction = 'out', amountCents }) => ({ direction, amountCents }));
      expect(told).toHaveLength(2);
      expect(told).toContainEqual({ direction: 'out', amountCents: order.amountCents });
      expect(told).toContainEqual({ direction: 'back', amountCents: order.amountCents - feeCents });
    },
  },
  {
    title: 'expires: a payment that nobody came for is refused as expired, and nothing moved',
    needs: ['accept'],
    power: (_, { custody }) => custody !== 'custodial',
    run: async (bench) => {
      const { order } = await submitted(bench, 'accept');
      expect(await after(bench, order, { kind: 'expires' })).toMatchObject({ kind: 'refused', failure: 'expired' });
      expect(await bench.movements(order)).toEqual([]);
    },
  },
  {
    title: 'honours a code until the end of its retention: sent again a moment before, it is one movement',
    needs: ['settle'],
    power: (_, { keyRetentionSeconds }) => keyRetentionSeconds !== null,
    run: async (bench) => {
      const { order, sent } = await submitted(bench, 'settle');
      bench.advance((bench.traits.keyRetentionSeconds ?? 0) - 1);
      bench.restart();
      const again = await bench.submit(order);
      expectOnItsWay(again);
      expect(refOf(again)).toBe(refOf(sent));
      expect(await bench.movements(order)).toHaveLength(1);
    },
  },
  usedReference('settle'),
  usedReference('lost_answer'),
];

/** A key is forgotten, and the reference of the same payment is used up: "used already" is about what was paid, and no refusal. */
function usedReference(outcome: ProviderOutcome): Check {
  return {
    title: `${outcome}: when the code is no longer honoured, what it was used for is still told, and is no refusal`,
    needs: [outcome],
    run: async (bench) => {
      const { order, sent } = await submitted(bench, outcome);
      const { keyRetentionSeconds } = bench.traits;
      bench.advance((keyRetentionSeconds ?? LONG_SECONDS) + 1);
      bench.restart();
      const seen = await bench.lookup(order);
      demand(seen.kind !== 'refused' && seen.kind !== 'never_seen', usedAlready('lookup', seen));
      const again = await bench.submit(order);
      demand(again.kind !== 'refused', usedAlready('submit', again));
      // Past its retention the core only looks up.
      if (keyRetentionSeconds !== null) return;
      expect(await bench.movements(order)).toHaveLength(1);
      for (const fact of [seen, again]) if (refOf(fact) && refOf(sent)) expect(refOf(fact)).toBe(refOf(sent));
    },
  };
}

const usedAlready = (call: string, { kind }: LookupAnswer): string =>
  `The payment was made, and by now the provider honours its idempotency key no more: \`${call}\` answers '${kind}'. ` +
  'Should the provider say that the reference was used already, ask it what that reference did; what it does not tell is `unknown`. ' +
  'A payout that is called refused is paid once more.';

const deniedLater = (fact: LookupAnswer): string =>
  `The provider took the payment, and refused it later: the rail says '${fact.kind === 'refused' ? fact.failure : fact.kind}'. ` +
  'Most refusals come like that. Map the state that a payment ends in then, and the code beside it, to `refused` with its class; ' +
  '`expired` is for what nobody came for.';

function bouncesWith(kept: string, needs: ProviderOutcome[], feeOf: (order: RailOrder) => number): Check {
  return {
    title: `bounces: the bank kept ${kept}, and sent again it moves nothing more`,
    needs,
    power: (_, traits) => comesBack(traits),
    run: async (bench) => {
      const { order } = await submitted(bench, 'settle');
      const feeCents = feeOf(order);
      expect(await after(bench, order, { kind: 'bounces', feeCents })).toEqual({ kind: 'bounced', feeCents });
      // In legs: it is back with us, and not only in the payee's account.
      expect(await bench.out(order)).toBeLessThanOrEqual(feeCents);
      expect((await bench.submit(order)).kind).not.toBe('refused');
      expect((await bench.movements(order)).length).toBeLessThanOrEqual(1);
      expect(await bench.lookup(order)).toEqual({ kind: 'bounced', feeCents });
    },
  };
}

async function submitted(
  bench: RailBench,
  outcome: ProviderOutcome,
): Promise<{ order: RailOrder; sent: LookupAnswer }> {
  const order = await bench.arrange(outcome);
  return { order, sent: await bench.submit(order) };
}

/** Asked by another process than the one that sent it; with all calls that it asks for then. */
async function after(bench: RailBench, order: RailOrder, event: ProviderEvent): Promise<LookupAnswer> {
  const { world } = bench;
  await given(world.happens, 'happens').call(world, order.railKey, event);
  bench.restart();
  const seen = await bench.lookup(order);
  if (seen.kind !== 'accepted' || nextOf(seen) === null) return seen;
  const pulledBack = await bench.finish(order, seen);
  // It was paid, and what it is now a look-up tells. After `accepted` nobody would ask soon.
  expect(['settled', 'unknown']).toContain(pulledBack.kind);
  return bench.lookup(order);
}
