import { randomUUID } from 'node:crypto';
import type {
  ChecksPayees,
  LetsPayeesBegin,
  MovesInLegs,
  PayeeCheckFact,
  Rail,
  RailContext,
  RailOrder,
  RailTraits,
  SubmitFact,
} from '#libs/rail-kit';
import { checksFor, runCheck, runRailConformance } from '../conformance';
import type { CheckEvent, ProviderOutcome, RailSubject } from '../subject';
import { toySubject } from '../toy-rail.fake';

/** It keeps money in wallets, and knows by whom it was asked for an ID. */
class CheckingProvider {
  readonly waiting = new Map<string, RailOrder>();
  /** By payee. */
  readonly found = new Map<string, CheckEvent>();
  readonly down = new Set<string>();

  fact({ railKey, amountCents, currency }: RailOrder): SubmitFact {
    const told = { providerRef: `wallet of ${railKey}`, echo: { amountCents, currency } };
    return { kind: 'awaiting_payee', ...told, claimUrl: 'https://wallets.example/1', begins: { leg: 'drain' } };
  }

  check({ railKey, payee }: RailOrder): PayeeCheckFact {
    if (this.down.delete(railKey)) throw new Error('503');
    return this.found.get(payee.id) ?? { kind: 'to_do' };
  }
}

type Checking = Rail & MovesInLegs & LetsPayeesBegin & ChecksPayees;
type Mistake = (rail: Checking, provider: CheckingProvider, context: RailContext) => Partial<Checking>;

const OURS: ProviderOutcome[] = ['payee_begins', 'check_down'];
const ELSEWHERE = 'what is begun is the matter of another spec';
const CANNOT = {
  ...{ in_legs: ELSEWHERE, leg_refused: ELSEWHERE, leg_lost_answer: ELSEWHERE, leg_server_error: ELSEWHERE },
  ...{ begun_refused: ELSEWHERE, begun_lost_answer: ELSEWHERE, begun_read_later: ELSEWHERE },
};

/** As the toy is, and with a wallet and a check as far as it is asked for one. */
function checkingSubject(
  mistake: Mistake = () => ({}),
  traits: Partial<RailTraits> = { checksPayees: 'always' },
): RailSubject {
  const provider = new CheckingProvider();
  const reached = new Map<string, string[]>();
  const toy = toySubject(
    (rail, context) => {
      const checking: Checking = {
        submit: async (order, call) =>
          provider.waiting.has(order.railKey) ? provider.fact(order) : rail.submit(order, call),
        lookup: async (order) => {
          if (!provider.waiting.has(order.railKey)) return rail.lookup(order);
          const { providerRef } = provider.fact(order) as { providerRef: string };
          const { amountCents, currency } = order;
          if (!reached.has(order.railKey)) return provider.fact(order);
          return { kind: 'settled', providerRef, settledAt: null, echo: { amountCents, currency } };
        },
        advance: async (order, { destination = '' }) => {
          if (!reached.has(order.railKey)) reached.set(order.railKey, [destination]);
          return checking.lookup(order) as Promise<SubmitFact>;
        },
        checkDestination: async (_, entered) => {
          const destination = entered.trim().toLowerCase();
          if (destination.startsWith('w-')) return { kind: 'taken', destination };
          return { kind: 'refused', reason: 'This is no address of a wallet.' };
        },
        arrivesAs: async () => ({ kind: 'arrives', coin: 'TOY', network: 'Toynet' }),
        checkPayee: async (order) => provider.check(order),
        payeeCheckLink: async () => ({ kind: 'link', url: `https://ids.example/${randomUUID()}`, expiresAt: null }),
      };
      return { ...checking, ...mistake(checking, provider, context) };
    },
    { custodyOf: () => 'swap', ...traits },
  );
  const world: RailSubject['world'] = async (parts) => {
    const its = await toy.world(parts);
    return {
      ...its,
      arrange: (outcome, order) => {
        if (!OURS.includes(outcome)) return its.arrange(outcome, order);
        provider.waiting.set(order.railKey, order);
        if (outcome === 'check_down') provider.down.add(order.railKey);
        return order;
      },
      finds: ({ payee }, event) => void provider.found.set(payee.id, event),
      destinations: { good: ['w-Ada', ' W-EVE'], bad: 'nowhere', reached: (key) => reached.get(key) ?? [] },
      out: (railKey) => provider.waiting.get(railKey)?.amountCents ?? 0,
      movements: (railKey) => {
        const order = provider.waiting.get(railKey);
        if (!order) return its.movements(railKey);
        const { amountCents, currency } = order;
        return (reached.get(railKey) ?? []).map(() => ({ amountCents, currency }));
      },
    };
  };
  return { ...toy, cannot: CANNOT, world };
}

runRailConformance(checkingSubject());

const FOUND = /what the provider found out/;

/** Each mistake, and a check that must catch it. */
const MISTAKES: Record<string, { caughtBy: RegExp; mistake: Mistake }> = {
  'clears whom nobody checked': {
    caughtBy: /whom nobody checked/,
    mistake: (_, provider) => ({
      checkPayee: async (order) => (provider.found.has(order.payee.id) ? provider.check(order) : { kind: 'cleared' }),
    }),
  },
  'clears whoever was shown a link': {
    caughtBy: /whom nobody checked/,
    mistake: (rail, provider) => ({
      payeeCheckLink: async (order, visit) => {
        provider.found.set(order.payee.id, { kind: 'cleared' });
        return rail.payeeCheckLink(order, visit);
      },
    }),
  },
  'sends the money on when it is asked': {
    caughtBy: /whom nobody checked/,
    mistake: (rail) => ({
      checkPayee: async (order) => {
        await rail.advance(order, { name: 'drain', key: 'k', firstSentAt: new Date(0), destination: 'w-ada' });
        return rail.checkPayee(order);
      },
    }),
  },
  'keeps a clearance that was taken back': {
    caughtBy: FOUND,
    mistake: (rail) => {
      const cleared = new Set<string>();
      return {
        checkPayee: async (order) => {
          const answer = cleared.has(order.payee.id) ? ({ kind: 'cleared' } as const) : await rail.checkPayee(order);
          if (answer.kind === 'cleared') cleared.add(order.payee.id);
          return answer;
        },
      };
    },
  },
  'forgets a clearance in a restart': {
    caughtBy: FOUND,
    mistake: (rail) => {
      let isFirst = true;
      return {
        checkPayee: async (order) => {
          const answer = await rail.checkPayee(order);
          const isForgotten = isFirst && answer.kind === 'cleared';
          isFirst = false;
          return isForgotten ? { kind: 'to_do' } : answer;
        },
      };
    },
  },
  'takes whom it looks at for cleared': {
    caughtBy: FOUND,
    mistake: (rail) => ({
      checkPayee: async (order) => {
        const answer = await rail.checkPayee(order);
        return answer.kind === 'checking' ? { kind: 'cleared' } : answer;
      },
    }),
  },
  'rejects without a reason': {
    caughtBy: FOUND,
    mistake: (rail) => ({
      checkPayee: async (order) => {
        const answer = await rail.checkPayee(order);
        return answer.kind === 'rejected' ? { kind: 'rejected', reason: '' } : answer;
      },
    }),
  },
  'clears everybody with the first one': {
    caughtBy: /and nobody else/,
    mistake: (rail, provider) => ({
      checkPayee: async (order) =>
        [...provider.found.values()].some(({ kind }) => kind === 'cleared')
          ? { kind: 'cleared' }
          : rail.checkPayee(order),
    }),
  },
  'clears whom it cannot ask about': {
    caughtBy: /cannot be asked clears nobody/,
    mistake: (rail) => ({ checkPayee: (order) => rail.checkPayee(order).catch(() => ({ kind: 'cleared' })) }),
  },
  'hands out the same link twice': {
    caughtBy: /each link is new/,
    mistake: () => ({ payeeCheckLink: async () => ({ kind: 'link', url: 'https://ids.example/1', expiresAt: null }) }),
  },
  'hands out a link that others can read along': {
    caughtBy: /each link is new/,
    mistake: () => ({
      payeeCheckLink: async () => ({ kind: 'link', url: `http://ids.example/${randomUUID()}`, expiresAt: null }),
    }),
  },
  'logs the link': {
    caughtBy: /each link is new/,
    mistake: (rail, _provider, { log }) => ({
      payeeCheckLink: async (order, visit) => {
        const link = await rail.payeeCheckLink(order, visit);
        log.info({ link }, 'minted');
        return link;
      },
    }),
  },
  'logs who is checked': {
    caughtBy: /and nobody else/,
    mistake: (rail, _provider, { log }) => ({
      checkPayee: (order) => {
        log.info({ name: order.payee.name }, 'is checked');
        return rail.checkPayee(order);
      },
    }),
  },
};

describe('the conformance suite refuses a rail that checks payees and that', () => {
  const run = (subject: RailSubject, caughtBy: RegExp): Promise<void> => {
    const check = checksFor(subject).find(({ title }) => caughtBy.test(title));
    if (!check) throw new Error(`This rail is put to no check like ${String(caughtBy)}.`);
    return runCheck(subject, check);
  };

  it.each(Object.entries(MISTAKES))('%s', async (_, { caughtBy, mistake }) => {
    await expect(run(checkingSubject(mistake), caughtBy)).rejects.toThrow();
  });

  it('does not say whose payees', async () => {
    await expect(run(checkingSubject(undefined, {}), /says whose/)).rejects.toThrow();
  });

  it('says so, and has no check', async () => {
    const subject = toySubject(undefined, { checksPayees: 'on_request' });
    await expect(run(subject, /says whose/)).rejects.toThrow();
  });
});
