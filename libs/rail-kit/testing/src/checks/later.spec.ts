import type { LookupFact, RailMovement, RailOrder, RailTraits } from '#libs/rail-kit';
import { checksFor, runCheck } from '../conformance';
import type { RailSubject } from '../subject';
import { type Mistake, type ToyProvider, toySubject } from '../toy-rail.fake';

/** Each mistake, and a check that must catch it. */
const MISTAKES: Record<string, { caughtBy: RegExp; mistake: Mistake }> = {
  'passes on a fee that is no number': {
    caughtBy: /^bounces: a fee that is no amount/,
    mistake: (rail, _context, provider) => ({
      lookup: async (order) => {
        const feeCents = provider.find(order.railKey)?.keptCents;
        return feeCents === undefined ? rail.lookup(order) : { kind: 'bounced', feeCents };
      },
    }),
  },
  'does not see that money came back': {
    caughtBy: /^bounces: the bank kept nothing/,
    mistake: (rail) => ({ lookup: (order) => rail.submit(order) as Promise<LookupFact> }),
  },
  'says of a bounce that the bank kept all': {
    caughtBy: /^bounces: the bank kept some/,
    mistake: (rail) => ({
      lookup: async (order) => {
        const fact = await rail.lookup(order);
        return fact.kind === 'bounced' ? { ...fact, feeCents: order.amountCents } : fact;
      },
    }),
  },
  'calls what was refused later under way': {
    caughtBy: /^refused_later/,
    mistake: laterNo({ kind: 'accepted', providerRef: 'p' }),
  },
  'calls it unseen': { caughtBy: /^refused_later/, mistake: laterNo({ kind: 'never_seen' }) },
  'calls it paid': {
    caughtBy: /^refused_later/,
    mistake: laterNo({ kind: 'settled', providerRef: 'p', settledAt: null }),
  },
  'calls it expired': {
    caughtBy: /^refused_later/,
    mistake: laterNo({ kind: 'refused', failure: 'expired', reason: 'too late' }),
  },
  'says it in a process and not in the next one': {
    caughtBy: /^refused_later/,
    mistake: (rail, _context, provider) => ({
      lookup: async (order) => {
        const fact = await rail.lookup(order);
        const paid = provider.find(order.railKey);
        if (fact.kind === 'refused' && paid) paid.refused = false;
        return fact as LookupFact;
      },
    }),
  },
  'gives what settled another reference': {
    caughtBy: /^settles later/,
    mistake: (rail) => ({
      lookup: async (order) => {
        const fact = await rail.lookup(order);
        return fact.kind === 'settled' ? { ...fact, providerRef: `${fact.providerRef}-2` } : fact;
      },
    }),
  },
};

/** What the rail calls what its provider refused after it had taken it. */
function laterNo(named: LookupFact): Mistake {
  return (rail) => ({
    lookup: async (order) => {
      const fact = await rail.lookup(order);
      return fact.kind === 'refused' ? named : (fact as LookupFact);
    },
  });
}

/** Its provider takes a code for a new one after so many seconds. */
function forgetfulAfter(seconds: number): Mistake {
  const first = new Map<string, Date>();
  return (rail, { clock }, provider) => ({
    submit: (order) => {
      const since = first.get(order.railKey) ?? clock.now();
      first.set(order.railKey, since);
      if (clock.now().getTime() - since.getTime() < seconds * 1000) return rail.submit(order);
      const { ref } = provider.book(order.railKey, { ...order, settled: true });
      return Promise.resolve({ kind: 'settled', providerRef: ref, settledAt: null });
    },
  });
}

/** Its provider forgets a key, and not the reference: it says that this one was used, and the rail takes that for a no. */
function takesUsedForNo(call: 'submit' | 'lookup'): Mistake {
  const first = new Map<string, number>();
  const no = { kind: 'refused', failure: 'permanent', reason: 'reference used already' } as const;
  return (rail, { clock }) => {
    const isForgotten = ({ railKey }: RailOrder): boolean => {
      const since = first.get(railKey) ?? clock.now().getTime();
      first.set(railKey, since);
      return clock.now().getTime() - since > 3_600_000;
    };
    return {
      submit: async (order) => (isForgotten(order) && call === 'submit' ? no : rail.submit(order)),
      lookup: async (order) => (isForgotten(order) && call === 'lookup' ? no : rail.lookup(order)),
    };
  };
}

const LISTED = { returns: { withinSeconds: 86_400, listed: true } };

type Payment = NonNullable<ReturnType<ToyProvider['find']>>;

const cameBack =
  (direction: 'out' | 'back') =>
  ({ amountCents, keptCents = 0 }: Payment): Pick<RailMovement, 'direction' | 'amountCents'>[] => [
    { direction, amountCents: amountCents - keptCents },
  ];

function listing(back: (payment: Payment) => Pick<RailMovement, 'direction' | 'amountCents'>[]): Mistake {
  return (_rail, { clock }, provider) => ({
    movements: async (): Promise<RailMovement[]> =>
      [...provider.payments].flatMap(([railKey, payments]) =>
        payments.flatMap((payment) => {
          const { ref: providerRef, amountCents, currency } = payment;
          const out = { railKey, providerRef, amountCents, currency, movedAt: clock.now() };
          return [out, ...back(payment).map((change) => ({ ...out, ...change }))];
        }),
      ),
  });
}

describe('the conformance suite refuses a rail that', () => {
  it.each(Object.entries(MISTAKES))('%s', async (_, { caughtBy, mistake }) => {
    await expect(run(toySubject(mistake), caughtBy)).rejects.toThrow();
  });

  it('is not told by its test what happens at its provider', async () => {
    const honest = toySubject();
    const world: RailSubject['world'] = async (parts) => ({ ...(await honest.world(parts)), happens: undefined });
    await expect(run({ ...honest, world }, /^settles later/)).rejects.toThrow("needs 'happens'");
  });

  it.each<[string, RegExp, Partial<RailTraits>, Mistake]>([
    ['forgets a code early', /^honours a code/, { keyRetentionSeconds: 3_600 }, forgetfulAfter(1_800)],
    ['lists nothing that came back', /listed as a movement back/, LISTED, listing(() => [])],
    ['lists what came back as money that left', /listed as a movement back/, LISTED, listing(cameBack('out'))],
  ])('%s', async (_, caughtBy, traits, mistake) => {
    await expect(run(toySubject(mistake, traits), caughtBy)).rejects.toThrow();
  });

  it.each<[string, RegExp, number | null, 'submit' | 'lookup']>([
    ['a used reference', /^settle: when the code/, null, 'submit'],
    ['the reference of a payment whose answer was lost', /^lost_answer: when the code/, 3_600, 'submit'],
    ['what it is asked about', /^settle: when the code/, 3_600, 'lookup'],
  ])('takes %s for a refusal, once the code is no longer honoured', async (_, caughtBy, keyRetentionSeconds, call) => {
    const subject = toySubject(takesUsedForNo(call), { keyRetentionSeconds });
    await expect(run(subject, caughtBy)).rejects.toThrow(new RegExp(`\`${call}\` answers 'refused'.*ask it what`));
  });

  it.each<[RegExp, Partial<RailTraits>, Mistake]>([
    [/^honours a code/, { keyRetentionSeconds: 3_600 }, forgetfulAfter(3_600)],
    [/listed as a movement back/, LISTED, listing(cameBack('back'))],
    [/^settle: when the code/, { keyRetentionSeconds: 3_600 }, forgetfulAfter(3_600)],
  ])('and passes one that does not: %s', async (title, traits, honest) => {
    const subject = toySubject(honest, traits);
    expect(checksFor(subject).filter((check) => title.test(check.title))).toHaveLength(1);
    await run(subject, title);
  });
});

async function run(subject: RailSubject, title: RegExp): Promise<void> {
  const check = checksFor(subject).find((candidate) => title.test(candidate.title));
  if (!check) throw new Error(`This rail is put to no check like ${String(title)}.`);
  await runCheck(subject, check);
}
