import {
  amountComplaint,
  type LookupFact,
  type RailLog,
  type RailOrder,
  type RailTraits,
  servesCurrency,
  type SubmitFact,
} from '#libs/rail-kit';
import { checksFor, runCheck, runRailConformance } from './conformance';
import type { RailNotice, RailSubject } from './subject';
import { type Mistake, toySubject } from './toy-rail.fake';

runRailConformance(toySubject());

const TABLE = {
  countries: { JP: ['JPY'], KW: ['KWD'], DE: ['EUR'] },
  currencies: '*',
  amounts: {
    EUR: { leastCents: 550, mostCents: 100_000, stepCents: 100 },
    JPY: { leastCents: 200 },
    KWD: { digits: 2, mostCents: 5_000 },
  },
} satisfies Partial<RailTraits>;

/** Its provider pays what stands in the table, and refuses all else. */
const byTheTable: Mistake = (rail) => ({
  submit: async (order, call) => {
    const { amountCents, currency, payee } = order;
    const isTaken =
      servesCurrency(TABLE, currency, payee.country) &&
      amountCents >= ({ EUR: 550, JPY: 200 }[currency] ?? 1) &&
      amountComplaint(TABLE, amountCents, currency) === null;
    return isTaken ? rail.submit(order, call) : { kind: 'refused', failure: 'permanent', reason: 'not taken' };
  },
});

runRailConformance(toySubject(byTheTable, TABLE));

/** Each mistake, and a check that must catch it. */
const MISTAKES: Record<string, { caughtBy: RegExp; mistake: Mistake }> = {
  'pays again when it is asked again': {
    caughtBy: /same railKey twice is one movement/,
    mistake: (_rail, _context, provider) => ({
      submit: async ({ railKey, amountCents, currency }) => ({
        kind: 'settled',
        providerRef: provider.book(railKey, { amountCents, currency, settled: true }).ref,
        settledAt: null,
      }),
    }),
  },
  'calls a lost answer a refusal': {
    caughtBy: /^lost_answer: the outcome is unknown/,
    mistake: (rail) => ({
      submit: (order) =>
        rail.submit(order).catch((): SubmitFact => ({ kind: 'refused', failure: 'transient', reason: 'timed out' })),
    }),
  },
  'calls a payment unseen when it cannot ask': {
    caughtBy: /cannot be asked leaves a payment unknown/,
    mistake: (rail) => ({ lookup: (order) => rail.lookup(order).catch((): LookupFact => ({ kind: 'never_seen' })) }),
  },
  'reports as ordered what was booked otherwise': {
    caughtBy: /another amount than was ordered/,
    mistake: (rail) => ({ submit: async (order) => without(await rail.submit(order), 'echo') }),
  },
  'calculates in floating point': {
    caughtBy: /amounts are exact/,
    mistake: (rail) => ({
      submit: (order) => rail.submit({ ...order, amountCents: Math.floor((order.amountCents / 100) * 1.1 * 100) }),
    }),
  },
  'gives a bounce a fraction of a cent': {
    caughtBy: /still settled when it is looked up/,
    mistake: () => ({ lookup: async () => ({ kind: 'bounced', feeCents: 0.5 }) }),
  },
  'tells a fee that is no number': feeOf(Number.NaN),
  'tells a fee below nothing': feeOf(-1),
  'tells a fee with a fraction of a cent': feeOf(0.5),
  'tells a fee as text': feeOf('25' as unknown as number),
  'refuses without a reason': {
    caughtBy: /^refuse_permanent: the refusal has its class/,
    mistake: () => ({ submit: async () => ({ kind: 'refused', failure: 'permanent', reason: ' ' }) }),
  },
  'shows a claim link on a custodial rail': {
    caughtBy: /accepted payment keeps its reference/,
    mistake: () => ({
      submit: async () => ({ kind: 'awaiting_payee', providerRef: 'x', claimUrl: 'https://example.org/x' }),
    }),
  },
  'reports a date that is none': {
    caughtBy: /same railKey twice/,
    mistake: (rail) => ({
      submit: async (order) => ({ ...(await rail.submit(order)), settledAt: new Date('soon') }) as SubmitFact,
    }),
  },
  'forgets everything in a restart': {
    caughtBy: /after a restart the same railKey/,
    mistake: (rail) => {
      const mine = new Set<string>();
      return {
        submit: (order) => rail.submit(mine.add(order.railKey) && order),
        lookup: async (order) => (mine.has(order.railKey) ? rail.lookup(order) : { kind: 'never_seen' }),
      };
    },
  },
  'logs the key of the deployment': {
    caughtBy: /same railKey twice/,
    mistake: (rail, { log, settings }) => ({
      submit: (order) => {
        log.info({ headers: { authorization: `Bearer ${settings.TOY_KEY}` } }, 'calling');
        return rail.submit(order);
      },
    }),
  },
  'puts the key of the deployment into a fact': {
    caughtBy: /^hang: the outcome is unknown/,
    mistake: (_rail, { settings }) => ({
      submit: async () => ({ kind: 'unknown', detail: `no answer to ${settings.TOY_KEY}` }),
    }),
  },
  "logs the payee's address": {
    caughtBy: /same railKey twice/,
    mistake: (rail, { log }) => ({
      submit: (order) => {
        log.warn({ payee: order.payee }, 'paying');
        return rail.submit(order);
      },
    }),
  },
  'has a method of its own': {
    caughtBy: /no public method that the core does not know/,
    mistake: () => ({ refund: async () => undefined }),
  },
  'lists no movement': {
    caughtBy: /^lists movements/,
    mistake: () => ({ movements: async () => [] }),
  },
  'believes any notice': {
    caughtBy: /changed or unsigned one is forged/,
    mistake: () => ({
      readNotice: async ({ body }: RailNotice) => ({ kind: 'hints', noticeId: '1', railKeys: [body.toString()] }),
    }),
  },
  'leads every payee by the same link': leadingBy(/^leads payees: to a page/, () => 'https://example.org/page'),
  'leads to what was never sent': leadingBy(/^leads payees: nobody/, () => `https://example.org/${Math.random()}`),
  'logs the link that it leads by': leadingBy(/^leads payees: to a page/, (railKey, log) => {
    const url = `https://example.org/${railKey}/${Math.random()}`;
    log.info({ url }, 'led');
    return url;
  }),
  'counts a link as handed over that it only made': {
    caughtBy: /^leads payees: a link that was made/,
    mistake: (rail) => {
      const made = new Set<string>();
      return {
        payeeLink: async ({ railKey }: RailOrder) => {
          made.add(railKey);
          return { kind: 'link', url: `https://example.org/${Math.random()}`, of: railKey };
        },
        handedOver: async () => undefined,
        lookup: async (order) => {
          const fact = await rail.lookup(order);
          return made.has(order.railKey) && fact.kind === 'accepted'
            ? { kind: 'settled', providerRef: fact.providerRef, settledAt: null }
            : fact;
        },
      };
    },
  },
  'reads accounts and shows none to the test': {
    caughtBy: /^reads accounts/,
    mistake: () => ({ readAccount: async () => ({ kind: 'unconfirmed', detail: 'no such account' }) }),
  },
};

describe('the conformance suite refuses a rail that', () => {
  it.each(Object.entries(MISTAKES))('%s', async (_, { caughtBy, mistake }) => {
    const subject = toySubject(mistake);
    await expect(run(subject, caughtBy)).rejects.toThrow();
  });

  it('has a provider which, it says, cannot lose an answer', async () => {
    const subject = { ...toySubject(), cannot: { lost_answer: 'this provider is never down, they said' } };
    await expect(run(subject, /declared with a reason/)).rejects.toThrow();
  });

  it.each(['countries', 'amounts'] as const)('says nothing of the %s that its provider takes', async (part) => {
    const subject = toySubject(byTheTable, { ...TABLE, [part]: part === 'amounts' ? {} : '*' });
    await expect(run(subject, /amounts are exact/)).rejects.toThrow();
  });

  it.each([
    ['under its least', { EUR: { leastCents: 200, mostCents: 100 } }],
    ['between two steps', { EUR: { leastCents: 110, mostCents: 190, stepCents: 100 } }],
    ['in a currency that it does not pay', { USD: { leastCents: 100 } }],
    ['in fractions', { EUR: { stepCents: 0.5 } }],
  ])('takes amounts %s', async (_, amounts) => {
    await expect(run(toySubject(undefined, { amounts }), /its rules leave amounts/)).rejects.toThrow();
  });

  it('leaves out what its provider cannot do, without saying so', async () => {
    const honest = toySubject();
    const world: RailSubject['world'] = async (parts) => {
      const refused = new Error('this world has no garbage');
      const inner = await honest.world(parts);
      const arrange: typeof inner.arrange = (outcome, order) => {
        if (outcome === 'garbage') throw refused;
        return inner.arrange(outcome, order);
      };
      return { ...inner, arrange };
    };
    await expect(run({ ...honest, world }, /^garbage: the outcome is unknown/)).rejects.toThrow('no garbage');
  });
});

describe('the conformance suite', () => {
  const TWICE = [/another amount under a used railKey/, /another amount than was ordered/];
  /** Its provider says no more than that it took the order. */
  const tookIt: Mistake = (rail) => ({
    submit: async (order) => {
      const fact = await rail.submit(order);
      return fact.kind === 'settled' ? { kind: 'accepted', providerRef: fact.providerRef } : fact;
    },
  });

  it.each(TWICE)('lets the look-up tell how much it is, if the submission says nothing of that: %s', async (title) => {
    await run(toySubject(tookIt), title);
    const neverTells: Mistake = (rail, ...parts) => ({
      ...tookIt(rail, ...parts),
      lookup: async (order) => without(await rail.lookup(order), 'echo'),
    });
    await expect(run(toySubject(neverTells), title)).rejects.toThrow();
  });

  it('says what the rail said, if a check fails', async () => {
    const subject = toySubject(() => ({ lookup: async () => ({ kind: 'never_seen' }) }));
    await expect(run(subject, /still settled when it is looked up/)).rejects.toThrow(
      /What the rail said in this check:\nsubmit: \{"kind":"settled".*\nlookup: \{"kind":"never_seen"\}$/,
    );
  });

  it('says it of a check that comes after another process began, too', async () => {
    const subject = toySubject(() => ({ lookup: async () => ({ kind: 'never_seen' }) }));
    await expect(run(subject, /^settles later/)).rejects.toThrow(/submit: .*\n\(another process\)\nlookup: /);
  });

  it('can be loaded where no tests run, as beside a fake provider that runs by itself', () => {
    const { it: runner } = globalThis;
    Object.assign(globalThis, { it: undefined });
    try {
      jest.isolateModules(() => expect(jest.requireActual('./index')).toHaveProperty('startLoopbackServer'));
    } finally {
      Object.assign(globalThis, { it: runner });
    }
  });
});

function feeOf(amountCents: number): { caughtBy: RegExp; mistake: Mistake } {
  const mistake: Mistake = (rail) => ({
    submit: async (order) =>
      ({ ...(await rail.submit(order)), fee: { amountCents, currency: order.currency } }) as SubmitFact,
  });
  return { caughtBy: /same railKey twice is one movement/, mistake };
}

function leadingBy(
  caughtBy: RegExp,
  link: (railKey: string, log: RailLog) => string,
): { caughtBy: RegExp; mistake: Mistake } {
  const mistake: Mistake = (_, { log }) => ({
    payeeLink: async ({ railKey }: RailOrder) => ({ kind: 'link', url: link(railKey, log), of: railKey }),
    handedOver: async () => undefined,
  });
  return { caughtBy, mistake };
}

async function run(subject: RailSubject, title: RegExp): Promise<void> {
  const check = checksFor(subject).find((candidate) => title.test(candidate.title));
  if (check) await runCheck(subject, check);
}

function without<T extends object>(whole: T, key: string): T {
  return Object.fromEntries(Object.entries(whole).filter(([name]) => name !== key)) as T;
}
