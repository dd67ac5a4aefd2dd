/**
 * A rail and its provider in one process, honest unless told otherwise: the conformance suite must pass the honest one
 * and refuse each of the mistakes below.
 */
import { randomUUID } from 'node:crypto';
import {
  defineRail,
  type LookupFact,
  type Rail,
  type RailContext,
  type RailOrder,
  type SubmitFact,
} from '#libs/rail-kit';
import type { ProviderOutcome, RailSubject, RailWorld } from './subject';

/** One way to get it wrong: what the rail does instead of its own submit or lookup, or adds to itself. */
export type Mistake = (
  rail: Rail,
  context: RailContext,
  provider: ToyProvider,
) => Partial<Rail> & Record<string, unknown>;

interface Payment {
  ref: string;
  amountCents: number;
  currency: string;
  settled: boolean;
}

class Unreachable extends Error {}

export class ToyProvider {
  readonly payments = new Map<string, Payment[]>();
  readonly outcomes = new Map<string, ProviderOutcome>();

  pay({ railKey, amountCents, currency }: RailOrder): Payment | string {
    const outcome = this.outcomes.get(railKey) ?? 'settle';
    if (outcome.startsWith('refuse_')) return outcome;
    if (this.fails(railKey, 'server_error') || this.fails(railKey, 'hang') || this.fails(railKey, 'garbage'))
      throw new Unreachable(`no usable answer for ${railKey}`);
    const booked = outcome === 'wrong_amount' ? amountCents + 1 : amountCents;
    const payment =
      this.find(railKey) ?? this.book(railKey, { amountCents: booked, currency, settled: outcome !== 'accept' });
    if (this.fails(railKey, 'lost_answer')) throw new Unreachable(`no answer for ${railKey}`);
    return payment;
  }

  find(railKey: string): Payment | undefined {
    return this.payments.get(railKey)?.[0];
  }

  ask(railKey: string): Payment | undefined {
    if (this.fails(railKey, 'lookup_down')) throw new Unreachable('503');
    return this.find(railKey);
  }

  book(railKey: string, payment: Omit<Payment, 'ref'>): Payment {
    const booked = { ...payment, ref: randomUUID() };
    this.payments.set(railKey, [...(this.payments.get(railKey) ?? []), booked]);
    return booked;
  }

  private fails(railKey: string, outcome: ProviderOutcome): boolean {
    return this.outcomes.get(railKey) === outcome && this.outcomes.delete(railKey);
  }
}

class ToyRail implements Rail {
  readonly #provider: ToyProvider;

  constructor(provider: ToyProvider) {
    this.#provider = provider;
  }

  async submit(order: RailOrder): Promise<SubmitFact> {
    const answer = this.#provider.pay(order);
    return typeof answer === 'string' ? refusal(answer) : factOf(answer);
  }

  async lookup({ railKey }: RailOrder): Promise<LookupFact> {
    const payment = this.#provider.ask(railKey);
    return payment ? factOf(payment) : { kind: 'never_seen' };
  }
}

const refusal = (outcome: string): SubmitFact => {
  const failure = outcome.replace('refuse_', '') as 'permanent' | 'transient' | 'funding';
  return { kind: 'refused', failure, reason: `the provider said ${outcome}` };
};

function factOf({ ref, settled, amountCents, currency }: Payment): SubmitFact {
  const echo = { amountCents, currency };
  return settled
    ? { kind: 'settled', providerRef: ref, settledAt: null, echo }
    : { kind: 'accepted', providerRef: ref, echo };
}

export function toySubject(mistake?: Mistake): RailSubject {
  const provider = new ToyProvider();
  const create = (context: RailContext): Rail => {
    const rail = new ToyRail(provider);
    return mistake
      ? { submit: (o) => rail.submit(o), lookup: (o) => rail.lookup(o), ...mistake(rail, context, provider) }
      : rail;
  };
  return { definition: definition(create), cannot: {}, world: async () => world(provider) };
}

const definition = (create: (context: RailContext) => Rail): RailSubject['definition'] =>
  defineRail({
    name: 'toy',
    traits: {
      custody: 'custodial',
      settles: 'later',
      countries: '*',
      currencies: ['EUR', 'JPY', 'KWD'],
      floorCents: 0,
      keyRetentionSeconds: null,
      releasesOwed: 'on_payable',
    },
    settings: [{ env: 'TOY_KEY', description: 'The key of the toy.', required: true, secret: true }],
    create,
  });

const world = (provider: ToyProvider): RailWorld => ({
  settings: { TOY_KEY: 'toy-secret-4711' },
  arrange: (outcome, order) => {
    provider.outcomes.set(order.railKey, outcome);
    return order;
  },
  notice: ({ railKey }) => ({ headers: { signature: 'genuine' }, body: Buffer.from(railKey) }),
  movements: (railKey) =>
    (provider.payments.get(railKey) ?? [])
      .filter(({ settled }) => settled)
      .map(({ amountCents, currency }) => ({ amountCents, currency })),
});
