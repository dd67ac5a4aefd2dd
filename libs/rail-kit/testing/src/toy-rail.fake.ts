/**
 * A rail and its provider in one process, honest unless told otherwise: the conformance suite must pass the honest one
 * and refuse each of the mistakes below.
 */
import { randomUUID } from 'node:crypto';
import {
  defineRail,
  type LookupFact,
  type Rail,
  type RailCall,
  type RailContext,
  type RailOrder,
  type RailTraits,
  type Refused,
  type SubmitAnswer,
  type SubmitFact,
} from '#libs/rail-kit';
import {
  type ProviderEvent,
  type ProviderOutcome,
  type RailSubject,
  type RailWorld,
  REST_SECONDS,
  UNKNOWN_WORD,
} from './subject';

/** One way to get it wrong: what the rail does instead of its own submit or lookup, or adds to itself. */
export type Mistake = (
  rail: Rail,
  context: RailContext,
  provider: ToyProvider,
) => Partial<Rail> & Record<string, unknown>;

export interface ToyPayment {
  ref: string;
  amountCents: number;
  currency: string;
  settled: boolean;
  /** A word that the rail knows nothing of. */
  state?: string;
  /** It said no after it had taken it. */
  refused?: boolean;
  /** It came back, and the bank kept so much. */
  keptCents?: number;
}

const UNSETTLED: readonly ProviderOutcome[] = ['accept', 'unknown_state', 'refused_later'];

class Unreachable extends Error {}

export class ToyProvider {
  readonly payments = new Map<string, ToyPayment[]>();
  readonly outcomes = new Map<string, ProviderOutcome>();

  pay({ railKey, amountCents, currency }: RailOrder): ToyPayment | string {
    const outcome = this.outcomes.get(railKey) ?? 'settle';
    if (outcome.startsWith('refuse_') || outcome === 'unknown_code') return outcome;
    if (this.fails(railKey, 'not_now')) return 'not_now';
    if (this.fails(railKey, 'server_error') || this.fails(railKey, 'hang') || this.fails(railKey, 'garbage'))
      throw new Unreachable(`no usable answer for ${railKey}`);
    const booked = outcome === 'wrong_amount' ? amountCents + 1 : amountCents;
    const payment =
      this.find(railKey) ??
      this.book(railKey, { amountCents: booked, currency, settled: !UNSETTLED.includes(outcome) });
    if (outcome === 'unknown_state') payment.state = UNKNOWN_WORD;
    if (this.fails(railKey, 'lost_answer')) throw new Unreachable(`no answer for ${railKey}`);
    return payment;
  }

  find(railKey: string): ToyPayment | undefined {
    return this.payments.get(railKey)?.[0];
  }

  ask(railKey: string): ToyPayment | undefined {
    if (this.fails(railKey, 'lookup_down')) throw new Unreachable('503');
    return this.find(railKey);
  }

  book(railKey: string, payment: Omit<ToyPayment, 'ref'>): ToyPayment {
    const booked = { ...payment, ref: randomUUID() };
    this.payments.set(railKey, [...(this.payments.get(railKey) ?? []), booked]);
    return booked;
  }

  happens(railKey: string, event: ProviderEvent): void {
    const payment = this.find(railKey);
    if (!payment) throw new Error(`There is no payment ${railKey}.`);
    if (event.kind === 'settles') payment.settled = true;
    if (event.kind === 'refused') payment.refused = true;
    if (event.kind === 'bounces') payment.keptCents = event.feeCents;
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

  async submit(order: RailOrder, call?: RailCall): Promise<SubmitAnswer> {
    call?.signal.throwIfAborted();
    const answer = this.#provider.pay(order);
    if (answer === 'not_now')
      return { kind: 'not_now', afterSeconds: REST_SECONDS, detail: 'the provider wants a rest' };
    return typeof answer === 'string' ? refusal(answer) : factOf(answer);
  }

  async lookup({ railKey }: RailOrder): Promise<LookupFact> {
    const payment = this.#provider.ask(railKey);
    if (!payment) return { kind: 'never_seen' };
    const { keptCents: feeCents } = payment;
    if (payment.refused) return { kind: 'refused', failure: 'account', reason: 'the bank closed the account' };
    if (feeCents === undefined) return factOf(payment);
    if (Number.isSafeInteger(feeCents) && feeCents >= 0) return { kind: 'bounced', feeCents };
    return { kind: 'unknown', detail: `it came back, less ${feeCents}` };
  }
}

const refusal = (outcome: string): SubmitFact => {
  if (!outcome.startsWith('refuse_')) return { kind: 'unknown', detail: 'a refusal that is not mapped' };
  const failure = outcome.replace('refuse_', '') as Refused['failure'];
  return { kind: 'refused', failure, reason: `the provider said ${outcome}` };
};

function factOf({ ref, settled, state, amountCents, currency }: ToyPayment): SubmitFact {
  if (state !== undefined) return { kind: 'unknown', detail: 'a state that is not mapped' };
  const echo = { amountCents, currency };
  return settled
    ? { kind: 'settled', providerRef: ref, settledAt: null, echo, fee: { amountCents: 3, currency } }
    : { kind: 'accepted', providerRef: ref, echo };
}

export function toySubject(mistake?: Mistake, traits: Partial<RailTraits> = {}): RailSubject {
  const provider = new ToyProvider();
  const create = (context: RailContext): Rail => {
    const rail = new ToyRail(provider);
    return mistake
      ? {
          submit: (o, call) => rail.submit(o, call),
          lookup: (o) => rail.lookup(o),
          ...mistake(rail, context, provider),
        }
      : rail;
  };
  const fresh = async (): Promise<RailWorld> => {
    provider.payments.clear();
    provider.outcomes.clear();
    return world(provider);
  };
  return { definition: definition(create, traits), cannot: {}, world: fresh };
}

const definition = (create: (context: RailContext) => Rail, traits: Partial<RailTraits>): RailSubject['definition'] =>
  defineRail({
    name: 'toy',
    traits: {
      custody: 'custodial',
      settles: 'later',
      countries: '*',
      currencies: ['EUR', 'JPY', 'KWD'],
      floorCents: 0,
      keyRetentionSeconds: null,
      returns: { withinSeconds: 86_400, listed: false },
      releasesOwed: 'on_payable',
      ...traits,
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
  happens: (railKey, event) => provider.happens(railKey, event),
  notice: ({ railKey }) => ({ headers: { signature: 'genuine' }, body: Buffer.from(railKey) }),
  movements: (railKey) =>
    (provider.payments.get(railKey) ?? [])
      .filter(({ settled }) => settled)
      .map(({ amountCents, currency }) => ({ amountCents, currency })),
});
