/**
 * A provider of the scripted rails that takes each call as its list of fates says, and does what it is asked once the list is
 * empty. Its own books know what moved: under a code it no longer remembers it would pay again.
 */
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import type { Call, Fact } from './scripted-provider';

/** `unheard`: nothing was done, and nobody is told. `untold`: it was done, and nobody is told. */
const FATES = ['does', 'does', 'not_now', 'unheard', 'untold', 'refuses'] as const;
const LOOKS = ['does', 'does', 'not_now', 'unheard'] as const;
export const MOODY_RAILS = ['busy_rail', 'forgetful_rail', 'quiet_rail', 'legged_rail'] as const;

export interface History {
  rail: (typeof MOODY_RAILS)[number];
  /** Of the calls that move something, in their order; of the look-ups. */
  fates: (typeof FATES)[number][];
  looks: (typeof LOOKS)[number][];
  /** The first payment that settles comes back, and no notice tells. */
  bounces: boolean;
  /** Nobody refuses for now but for good, if somebody refuses. */
  forGood: boolean;
  /** The money of owed rows, which leave again under another code, or one payout. */
  owed: boolean;
}

export const histories: fc.Arbitrary<History> = fc.record({
  rail: fc.constantFrom(...MOODY_RAILS),
  fates: fc.array(fc.constantFrom(...FATES), { maxLength: 6 }),
  looks: fc.array(fc.constantFrom(...LOOKS), { maxLength: 4 }),
  bounces: fc.boolean(),
  forGood: fc.boolean(),
  owed: fc.boolean(),
});

/** `sent_ahead`: transferred, and not paid out yet. `pulling`: refused after that, and still out. */
type Stage = 'sent_ahead' | 'on_its_way' | 'settled' | 'bounced' | 'pulling' | 'refused';
export interface Payment {
  stage: Stage;
  amountCents: number;
  ref: string;
  firstAskedAt: number;
}

/** The rail says ten seconds; what begins within them has some time to arrive. */
const REMEMBERS_MS = 40_000;
export const BOUNCE_FEE_CENTS = 25;
const NOTHING: Fact = { kind: 'unknown', detail: 'the connection was cut' };

export class MoodyProvider {
  readonly payments = new Map<string, Payment>();
  /** Each time that money left, by its code. */
  readonly left: string[] = [];
  private readonly fates: History['fates'];
  private readonly looks: History['looks'];
  private mayBounce: boolean;

  constructor(
    private readonly history: History,
    private readonly now: () => number,
  ) {
    this.fates = [...history.fates];
    this.looks = [...history.looks];
    this.mayBounce = history.bounces && history.rail === 'quiet_rail';
  }

  play(call: Call): Fact {
    const fate = (call.name === 'lookup' ? this.looks : this.fates).shift() ?? 'does';
    if (fate === 'not_now') return { kind: 'not_now', afterSeconds: 1, detail: 'maintenance' };
    if (fate === 'unheard') return NOTHING;
    const fact = this.done(call, fate === 'refuses');
    return fate === 'untold' ? NOTHING : fact;
  }

  /** What reached somebody and stayed there, less what a bank kept is theirs to lose. */
  get landedCents(): number {
    return sumOf([...this.payments.values()].filter(({ stage }) => stage === 'settled' || stage === 'on_its_way'));
  }

  hasNothingOf(railKey: string): boolean {
    return !this.left.includes(railKey);
  }

  /** Something settled, and will come back by itself. */
  get isToBounce(): boolean {
    return this.mayBounce && this.landedCents > 0;
  }

  get bounces(): number {
    return [...this.payments.values()].filter(({ stage }) => stage === 'bounced').length;
  }

  private done(call: Call, refuses: boolean): Fact {
    if (call.name === 'lookup') return this.look(call.railKey);
    return call.name === 'advance' ? this.advance(call, refuses) : this.submit(call, refuses);
  }

  private submit({ railKey, amountCents }: Call, refuses: boolean): Fact {
    const known = this.payments.get(railKey);
    if (known && known.stage !== 'refused' && !this.forgot(known)) return this.told(known);
    const firstAskedAt = this.now();
    const ref = known?.ref ?? randomUUID();
    const stage = refuses ? 'refused' : this.history.rail === 'legged_rail' ? 'sent_ahead' : 'on_its_way';
    if (!refuses) this.left.push(railKey);
    const payment = { stage, amountCents, ref, firstAskedAt } satisfies Payment;
    this.payments.set(railKey, payment);
    return this.told(payment);
  }

  private advance({ railKey, leg }: Call, refuses: boolean): Fact {
    const payment = this.payments.get(railKey);
    if (!payment) throw new Error(`${leg?.name} of a payment that was never made`);
    if (leg?.name === 'payout' && payment.stage === 'sent_ahead') payment.stage = refuses ? 'pulling' : 'settled';
    if (leg?.name === 'pull_back' && payment.stage === 'pulling' && !refuses) this.pullBack(railKey, payment);
    return this.told(payment);
  }

  private pullBack(railKey: string, payment: Payment): void {
    payment.stage = 'refused';
    this.left.splice(this.left.lastIndexOf(railKey), 1);
  }

  /** Time passes between two look-ups: what is on its way settles, and what settled may come back. */
  private look(railKey: string): Fact {
    const payment = this.payments.get(railKey);
    if (!payment) return { kind: 'never_seen' };
    if (payment.stage === 'settled' && this.mayBounce) {
      payment.stage = 'bounced';
      this.mayBounce = false;
    }
    if (payment.stage === 'on_its_way') payment.stage = 'settled';
    return this.told(payment);
  }

  private told({ stage, ref: providerRef }: Payment): Fact {
    switch (stage) {
      case 'sent_ahead':
        return { kind: 'accepted', providerRef, next: { leg: 'payout' } };
      case 'on_its_way':
        return { kind: 'accepted', providerRef };
      case 'settled':
        return { kind: 'settled', providerRef, settledAt: null };
      case 'bounced':
        return { kind: 'bounced', feeCents: BOUNCE_FEE_CENTS };
      case 'pulling':
        return { kind: 'accepted', providerRef, next: { leg: 'pull_back' } };
      case 'refused':
        return { kind: 'refused', failure: this.history.forGood ? 'permanent' : 'transient', reason: 'not today' };
    }
  }

  /** Only who pays twice by a code that is new to it: look-ups know a payment for ever. */
  private forgot({ firstAskedAt }: Payment): boolean {
    return this.history.rail === 'forgetful_rail' && this.now() - firstAskedAt > REMEMBERS_MS;
  }
}

const sumOf = (payments: Payment[]): number => payments.reduce((sum, { amountCents }) => sum + amountCents, 0);
