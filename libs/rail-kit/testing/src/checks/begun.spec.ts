import type { LetsPayeesBegin, MovesInLegs, Rail, RailContext, RailLeg, RailOrder, SubmitFact } from '#libs/rail-kit';
import { checksFor, runCheck, runRailConformance } from '../conformance';
import type { ProviderOutcome, RailSubject } from '../subject';
import { toySubject } from '../toy-rail.fake';

const WANTS_A_REST = 'it took that, and wants a rest';

interface Wallet {
  order: RailOrder;
  /** By the key of the call. */
  drains: Map<string, { destination: string; isRefused: boolean }>;
  reached: string[];
}

/** A provider that brings money to a wallet, and from there to where it is told, once for each key. */
class WalletProvider {
  readonly wallets = new Map<string, Wallet>();
  readonly plans = new Map<string, ProviderOutcome>();

  wallet(order: RailOrder): Wallet {
    const wallet = this.wallets.get(order.railKey) ?? { order, drains: new Map(), reached: [] };
    this.wallets.set(order.railKey, wallet);
    return wallet;
  }

  drain(order: RailOrder, { key, destination = '' }: RailLeg): Wallet {
    const wallet = this.wallet(order);
    const plan = this.plans.get(order.railKey);
    this.plans.delete(order.railKey);
    if (!wallet.drains.has(key)) {
      wallet.drains.set(key, { destination, isRefused: plan === 'begun_refused' });
      if (plan !== 'begun_refused') wallet.reached.push(destination);
    }
    if (plan === 'begun_lost_answer') throw new Error('no answer');
    if (plan === 'begun_read_later') throw new Error(WANTS_A_REST);
    return wallet;
  }
}

const factOf = ({ order, drains, reached }: Wallet): SubmitFact => {
  const { railKey, amountCents, currency } = order;
  const told = { providerRef: `wallet of ${railKey}`, echo: { amountCents, currency } };
  if (reached.length > 0) return { kind: 'settled', ...told, settledAt: null };
  const [key] = [...drains.keys()].slice(-1);
  const begins = { leg: 'drain', ...(key ? { refused: { key, reason: 'Another network.' } } : {}) };
  return { kind: 'awaiting_payee', ...told, claimUrl: 'https://wallets.example/1', begins };
};

type Begun = Rail & MovesInLegs & LetsPayeesBegin;
type Mistake = (rail: Begun, provider: WalletProvider, context: RailContext) => Partial<Begun>;

const OUTCOMES: ProviderOutcome[] = ['payee_begins', 'begun_refused', 'begun_lost_answer', 'begun_read_later'];
const ONE_CALL = 'what follows the first call is begun by the payee';

/** As the toy is, and with a wallet as far as the check is about what payees begin. */
function begunSubject(mistake: Mistake = () => ({})): RailSubject {
  const provider = new WalletProvider();
  const toy = toySubject(
    (rail, context) => {
      const begun: Begun = {
        submit: async (order, call) =>
          provider.plans.has(order.railKey) ? factOf(provider.wallet(order)) : rail.submit(order, call),
        lookup: async (order) => {
          const wallet = provider.wallets.get(order.railKey);
          return wallet ? factOf(wallet) : rail.lookup(order);
        },
        advance: async (order, leg) => factOf(provider.drain(order, leg)),
        checkDestination: async (_, entered) => {
          const destination = entered.trim().toLowerCase();
          if (destination.startsWith('w-')) return { kind: 'taken', destination };
          return { kind: 'refused', reason: 'This is no address of a wallet.' };
        },
        arrivesAs: async () => ({ kind: 'arrives', coin: 'TOY', network: 'Toynet' }),
      };
      return { ...begun, ...mistake(begun, provider, context) };
    },
    { custodyOf: () => 'swap' },
  );
  const cannot = { in_legs: ONE_CALL, leg_refused: ONE_CALL, leg_lost_answer: ONE_CALL, leg_server_error: ONE_CALL };
  const world: RailSubject['world'] = async (parts) => {
    const its = await toy.world(parts);
    const reached = (railKey: string): string[] => provider.wallets.get(railKey)?.reached ?? [];
    return {
      ...its,
      arrange: (outcome, order) => {
        if (!OUTCOMES.includes(outcome)) return its.arrange(outcome, order);
        provider.plans.set(order.railKey, outcome);
        return order;
      },
      destinations: { good: ['w-Ada', ' W-EVE'], bad: 'nowhere', reached },
      out: (railKey) => provider.wallets.get(railKey)?.order.amountCents ?? 0,
      movements: (railKey) => {
        const { amountCents = 0, currency = '' } = provider.wallets.get(railKey)?.order ?? {};
        return provider.wallets.has(railKey)
          ? reached(railKey).map(() => ({ amountCents, currency }))
          : its.movements(railKey);
      },
    };
  };
  return { ...toy, cannot, world };
}

runRailConformance(begunSubject());

const MISTAKES: Record<string, { caughtBy: RegExp; mistake: Mistake }> = {
  'sends the money on before its payee said where': {
    caughtBy: /nothing leaves before/,
    mistake: (rail, provider) => ({
      submit: async (order) => {
        const fact = await rail.submit(order);
        provider.wallet(order).reached.push('somewhere');
        return fact;
      },
    }),
  },
  'does not say in a look-up for which call it waits': {
    caughtBy: /a look-up by another process says for which call/,
    mistake: (rail) => ({
      lookup: async (order) => ({ ...(await rail.lookup(order)), begins: undefined }) as SubmitFact,
    }),
  },
  'takes what is no address': {
    caughtBy: /an address that is none is refused/,
    mistake: () => ({ checkDestination: async (_, entered) => ({ kind: 'taken', destination: entered.trim() }) }),
  },
  'does not say over which network it arrives': {
    caughtBy: /what arrives, and over which network/,
    mistake: () => ({ arrivesAs: async () => ({ kind: 'arrives', coin: 'TOY', network: '' }) }),
  },
  'keeps an address as it was entered': {
    caughtBy: /another is taken in one form/,
    mistake: (rail) => ({
      checkDestination: async (order, entered) => {
        const answer = await rail.checkDestination(order, entered);
        return answer.kind === 'taken' ? { kind: 'taken', destination: `w-${entered.replaceAll('w-', '')}` } : answer;
      },
    }),
  },
  'moves for each call': {
    caughtBy: /made twice, and five times at once/,
    mistake: (rail, provider) => ({
      advance: (order, leg) => {
        provider.wallet(order).reached.push(leg.destination ?? '');
        return rail.advance(order, leg);
      },
    }),
  },
  'sends it elsewhere': {
    caughtBy: /moves once, to where they said/,
    mistake: (rail) => ({ advance: (order, leg) => rail.advance(order, { ...leg, destination: 'w-treasury' }) }),
  },
  'logs the address': {
    caughtBy: /moves once, to where they said/,
    mistake: (rail, _, { log }) => ({
      checkDestination: (order, entered) => {
        log.info({ entered }, 'an address was entered');
        return rail.checkDestination(order, entered);
      },
    }),
  },
  'still waits for its payee in a look-up when the answer was lost': {
    caughtBy: /begun_lost_answer: it is unknown/,
    mistake: (_, provider) => ({
      lookup: async (order) => factOf({ ...provider.wallet(order), drains: new Map(), reached: [] }),
    }),
  },
  'calls a call without an answer refused': {
    caughtBy: /begun_lost_answer: it is unknown/,
    mistake: (rail, provider) => ({
      advance: (order, leg) => rail.advance(order, leg).catch(() => factOf({ ...provider.wallet(order), reached: [] })),
    }),
  },
  'says not_now of what was sent, since the question after it was put off': {
    caughtBy: /begun_read_later: what was sent is not called not_now/,
    mistake: (rail) => ({
      advance: (order, leg) =>
        rail.advance(order, leg).catch((error: Error) => {
          if (error.message !== WANTS_A_REST) throw error;
          return { kind: 'not_now', afterSeconds: 1, detail: WANTS_A_REST };
        }),
    }),
  },
  'calls the whole payout refused, with the money in the wallet': {
    caughtBy: /what is refused still waits/,
    mistake: (rail) => ({
      advance: async (order, leg) => {
        const fact = await rail.advance(order, leg);
        const isRefused = fact.kind === 'awaiting_payee';
        return isRefused ? { kind: 'refused', failure: 'permanent', reason: 'Another network.' } : fact;
      },
    }),
  },
  'does not say which call was refused': {
    caughtBy: /by the key of the call/,
    mistake: (rail) => ({
      advance: async (order, leg) => ({ ...(await rail.advance(order, leg)), begins: { leg: 'drain' } }) as SubmitFact,
    }),
  },
};

describe('the conformance suite refuses a rail whose payees begin and that', () => {
  it.each(Object.entries(MISTAKES))('%s', async (_, { caughtBy, mistake }) => {
    const subject = begunSubject(mistake);
    const check = checksFor(subject).find(({ title }) => caughtBy.test(title));
    if (!check) throw new Error(`This rail is put to no check like ${String(caughtBy)}.`);
    await expect(runCheck(subject, check)).rejects.toThrow();
  });
});
