import type { LookupFact, MovesInLegs, Rail, RailLeg, RailOrder, RailTraits, SubmitFact } from '#libs/rail-kit';
import { checksFor, runCheck, runRailConformance } from '../conformance';
import type { ProviderOutcome, RailSubject } from '../subject';
import { toySubject } from '../toy-rail.fake';

interface Transfer {
  order: RailOrder;
  out: number;
  paid: number[];
  next: 'payout' | 'pull_back' | null;
  isRefused: boolean;
  /** It came back to the payee's account, less that. */
  bounced: number | null;
}

/** A provider that takes a transfer and then a payout, each once for each key. */
class LeggedProvider {
  readonly transfers = new Map<string, Transfer>();
  readonly plans = new Map<string, ProviderOutcome>();
  private readonly keys = new Set<string>();

  transfer(order: RailOrder): Transfer {
    const known = this.transfers.get(order.railKey);
    if (known && !known.isRefused) return known;
    const made = { order, out: order.amountCents, paid: [], isRefused: false, bounced: null };
    const transfer: Transfer = { ...made, next: 'payout' };
    this.transfers.set(order.railKey, transfer);
    if (this.plans.get(order.railKey) === 'lost_answer') {
      this.plans.delete(order.railKey);
      throw new Error('no answer');
    }
    return transfer;
  }

  /** The bank sends it back to the payee's account. */
  bounces(railKey: string, feeCents: number): void {
    const transfer = this.transfers.get(railKey);
    if (transfer) Object.assign(transfer, { next: 'pull_back', bounced: feeCents });
  }

  leg({ railKey }: RailOrder, { name, key }: RailLeg): Transfer {
    const transfer = this.transfers.get(railKey);
    if (!transfer) throw new Error('404');
    const plan = this.plans.get(railKey);
    if (plan !== 'leg_refused') this.plans.delete(railKey);
    if (plan === 'leg_server_error') throw new Error('500');
    if (!this.keys.has(key)) this.done(transfer, name, plan === 'leg_refused');
    this.keys.add(key);
    if (plan === 'leg_lost_answer') throw new Error('no answer');
    return transfer;
  }

  private done(transfer: Transfer, name: string, isRefused: boolean): void {
    if (name === 'pull_back')
      Object.assign(transfer, { out: transfer.bounced ?? 0, next: null, isRefused: transfer.bounced === null });
    else if (isRefused) transfer.next = 'pull_back';
    else Object.assign(transfer, { next: null, paid: [...transfer.paid, transfer.order.amountCents] });
  }
}

type Legged = Rail & MovesInLegs;
type Mistake = (rail: Legged, provider: LeggedProvider) => Partial<Legged>;

const factOf = ({ order, next, isRefused }: Transfer): SubmitFact => {
  const { railKey, amountCents, currency } = order;
  const [providerRef, echo] = [`transfer of ${railKey}`, { amountCents, currency }];
  if (isRefused) return { kind: 'refused', failure: 'transient', reason: 'the bank would not take it' };
  return next
    ? { kind: 'accepted', providerRef, echo, next: { leg: next } }
    : { kind: 'settled', providerRef, settledAt: null, echo };
};

/** That it came back is told by a look-up, once it is back. */
const stateOf = (transfer: Transfer): LookupFact => {
  const { bounced, next } = transfer;
  if (bounced === null || next !== null) return factOf(transfer);
  if (Number.isSafeInteger(bounced) && bounced >= 0) return { kind: 'bounced', feeCents: bounced };
  return { kind: 'unknown', detail: `it came back, less ${bounced}` };
};

const LEG_OUTCOMES: ProviderOutcome[] = [
  ...(['settle', 'lost_answer', 'in_legs', 'leg_refused', 'leg_lost_answer', 'leg_server_error'] as const),
];

/** As the toy is, and in legs as far as the check is about money that leaves. */
function leggedSubject(mistake: Mistake = () => ({}), traits: Partial<RailTraits> = {}): RailSubject {
  const provider = new LeggedProvider();
  const inLegs = ({ railKey }: RailOrder): boolean => provider.plans.has(railKey) || provider.transfers.has(railKey);
  const toy = toySubject(
    (rail) => {
      const legged: Legged = {
        submit: async (order, call) => {
          call?.signal.throwIfAborted();
          return inLegs(order) ? factOf(provider.transfer(order)) : rail.submit(order, call);
        },
        lookup: async (order) => {
          const transfer = provider.transfers.get(order.railKey);
          return transfer ? stateOf(transfer) : rail.lookup(order);
        },
        advance: async (order, leg) => factOf(provider.leg(order, leg)),
      };
      return { ...legged, ...mistake(legged, provider) };
    },
    { keyRetentionSeconds: 3_600, ...traits },
  );
  const world: RailSubject['world'] = async (parts) => {
    const its = await toy.world(parts);
    return {
      ...its,
      arrange: (outcome, order) => {
        if (!LEG_OUTCOMES.includes(outcome)) return its.arrange(outcome, order);
        provider.plans.set(order.railKey, outcome);
        return order;
      },
      happens: (railKey, event) => {
        if (event.kind === 'bounces' && provider.transfers.has(railKey)) provider.bounces(railKey, event.feeCents);
        else return its.happens?.(railKey, event);
      },
      out: (railKey) => provider.transfers.get(railKey)?.out ?? 0,
      movements: (railKey) => {
        const transfer = provider.transfers.get(railKey);
        const { currency = '' } = transfer?.order ?? {};
        return transfer ? transfer.paid.map((amountCents) => ({ amountCents, currency })) : its.movements(railKey);
      },
    };
  };
  return { ...toy, world };
}

runRailConformance(leggedSubject());

const MISTAKES: Record<string, { caughtBy: RegExp; mistake: Mistake }> = {
  'pays out again for each call': {
    caughtBy: /made twice, and five times at once/,
    mistake: (rail, provider) => ({
      advance: (order, leg) => {
        provider.transfers.get(order.railKey)?.paid.push(order.amountCents);
        return rail.advance(order, leg);
      },
    }),
  },
  'does not say in a look-up what is next': {
    caughtBy: /a look-up by another process names the next one/,
    mistake: (rail) => ({
      lookup: async (order) => {
        const fact = await rail.lookup(order);
        return fact.kind === 'accepted' ? { kind: 'accepted', providerRef: fact.providerRef } : fact;
      },
    }),
  },
  'gives the later call a reference of its own': {
    caughtBy: /it is paid at the end/,
    mistake: (rail) => ({
      advance: async (order, leg) => ({ ...(await rail.advance(order, leg)), providerRef: 'po_1' }) as SubmitFact,
    }),
  },
  'says that it is refused before it pulled the money back': {
    caughtBy: /when a refusal is said, nothing is out/,
    mistake: (rail) => ({
      advance: async (order, leg) => {
        const fact = await rail.advance(order, leg);
        const isToPullBack = 'next' in fact && fact.next?.leg === 'pull_back';
        return isToPullBack ? { kind: 'refused', failure: 'transient', reason: 'the bank would not take it' } : fact;
      },
    }),
  },
  'says so in a look-up': {
    caughtBy: /a refusal is not said while money is out/,
    mistake: (rail, provider) => ({
      lookup: async (order) =>
        provider.transfers.get(order.railKey)?.next === 'pull_back'
          ? { kind: 'refused', failure: 'transient', reason: 'the bank would not take it' }
          : rail.lookup(order),
    }),
  },
  'says that it bounced while the money lies in the account of its payee': {
    caughtBy: /the bank kept some of it/,
    mistake: (rail, provider) => ({
      lookup: async (order) => {
        const feeCents = provider.transfers.get(order.railKey)?.bounced;
        return feeCents ? { kind: 'bounced', feeCents } : rail.lookup(order);
      },
    }),
  },
  'calls what it pulled back after a bounce accepted': {
    caughtBy: /the bank kept some of it/,
    mistake: (rail) => ({
      advance: async (order, leg) => {
        const fact = await rail.advance(order, leg);
        const isBack = leg.name === 'pull_back' && fact.kind === 'settled';
        return isBack ? { kind: 'accepted', providerRef: fact.providerRef } : fact;
      },
    }),
  },
  'calls a call without an answer refused': {
    caughtBy: /leg_lost_answer: it is unknown/,
    mistake: (rail) => ({
      advance: (order, leg) =>
        rail
          .advance(order, leg)
          .catch((): SubmitFact => ({ kind: 'refused', failure: 'transient', reason: 'timed out' })),
    }),
  },
};

describe('the conformance suite refuses a rail that', () => {
  it.each(Object.entries(MISTAKES))('%s', async (_, { caughtBy, mistake }) => {
    await expect(run(leggedSubject(mistake), caughtBy)).rejects.toThrow();
  });

  it('does not do a later call once the first key is forgotten', async () => {
    const since = new Map<string, Date>();
    const honest = leggedSubject();
    const definition: RailSubject['definition'] = {
      ...honest.definition,
      create: (context) => {
        const rail = honest.definition.create(context) as Legged;
        const isOld = ({ railKey }: RailOrder): boolean =>
          context.clock.now().getTime() - (since.get(railKey)?.getTime() ?? 0) > 3_600_000;
        return {
          ...rail,
          submit: (order: RailOrder) => rail.submit(order).finally(() => since.set(order.railKey, context.clock.now())),
          advance: (order: RailOrder, leg: RailLeg) =>
            isOld(order) ? Promise.resolve({ kind: 'unknown', detail: 'too late' } as const) : rail.advance(order, leg),
        };
      },
    };
    await expect(run({ ...honest, definition }, /past the time for which the first key/)).rejects.toThrow();
  });

  it('says that it looks before it calls, and does not', async () => {
    const forgets: Mistake = (rail, provider) => ({
      advance: (order, leg) => {
        const transfer = provider.transfers.get(order.railKey);
        if (transfer && transfer.paid.length > 0) transfer.paid.push(order.amountCents);
        return rail.advance(order, leg);
      },
    });
    const looks = { looksBeforeCalls: true } as const;
    await expect(run(leggedSubject(forgets, looks), /whose own key is forgotten/)).rejects.toThrow();
    await run(leggedSubject(undefined, looks), /whose own key is forgotten/);
  });

  it('is not told by its test what is out', async () => {
    const honest = leggedSubject();
    const world: RailSubject['world'] = async (parts) => ({ ...(await honest.world(parts)), out: undefined });
    await expect(run({ ...honest, world }, /made twice, and five/)).rejects.toThrow("needs 'out'");
  });
});

async function run(subject: RailSubject, title: RegExp): Promise<void> {
  const check = checksFor(subject).find((candidate) => title.test(candidate.title));
  if (!check) throw new Error(`This rail is put to no check like ${String(title)}.`);
  await runCheck(subject, check);
}
