/** What happens in a random history, and what a caller knows for certain whatever the order in which it happened. */
import fc from 'fast-check';
import type { Answer, Json } from './api';

export type Step =
  | { kind: 'create'; payee: number; cents: number; currency: string; reason: string | null; key: number }
  | { kind: 'release' | 'retry' | 'claim' | 'settle' | 'fail' | 'return' | 'give up'; of: number }
  | { kind: 'deposit'; cents: number; currency: string }
  | { kind: 'push'; payee: number; cents: number; currency: string; reason: string | null; ref: number }
  | { kind: 'withdraw'; payee: number }
  | { kind: 'link'; of: number }
  | { kind: 'sweep' | 'release job' | 'reconcile' };
/** A day turns for everybody at once, so that nothing else happens in that round. */
export type Round = { turn: true } | { turn: false; steps: Step[] };

const failing = ['fail_transient', 'fail_permanent', 'insufficient_funds', 'timeout', 'pending', 'return', 'fail_once'];
const begun = ['swap', 'swap_refused', 'swap_timeout'];
const reasons = [...failing, 'two_legs', 'leg_timeout', 'leg_refused', ...begun];
const currency = fc.constantFrom('USD', 'USD', 'EUR');
const create: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('create' as const),
  payee: fc.nat(1),
  cents: fc.oneof(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 100, max: 1_100 })),
  currency,
  reason: fc.option(fc.constantFrom(...reasons.map((word) => `mock:${word}`)), { nil: null, freq: 2 }),
  key: fc.nat(40),
});
const remedy: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('release' as const, 'retry', 'claim', 'settle', 'fail', 'return', 'give up'),
  of: fc.nat(40),
});
const funds: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('deposit' as const),
  cents: fc.integer({ min: 1, max: 1_500 }),
  currency,
});
const push: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('push' as const),
  payee: fc.nat(1),
  cents: fc.integer({ min: 1, max: 400 }),
  currency,
  reason: fc.option(fc.constantFrom(...reasons.map((word) => `mock:${word}`)), { nil: null, freq: 2 }),
  ref: fc.nat(40),
});
const withdraw: fc.Arbitrary<Step> = fc.record({ kind: fc.constant('withdraw' as const), payee: fc.nat(1) });
const link: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('link' as const),
  of: fc.nat(40),
});
const work: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('sweep' as const, 'release job', 'reconcile'),
});
const step = fc.oneof(
  { arbitrary: create, weight: 6 },
  { arbitrary: remedy, weight: 5 },
  { arbitrary: funds, weight: 2 },
  { arbitrary: push, weight: 3 },
  { arbitrary: withdraw, weight: 2 },
  { arbitrary: link, weight: 1 },
  { arbitrary: work, weight: 1 },
);
export const round: fc.Arbitrary<Round> = fc.oneof(
  {
    arbitrary: fc.record({ turn: fc.constant(false as const), steps: fc.array(step, { minLength: 1, maxLength: 12 }) }),
    weight: 9,
  },
  { arbitrary: fc.record({ turn: fc.constant(true as const) }), weight: 1 },
);

/** What a caller knows for certain, whatever the order in which things happened. */
export class Model {
  readonly ids = new Map<number, string>();
  readonly bodies = new Map<number, Json>();
  readonly final = new Map<string, string>();
  readonly rows = new Map<number, Json>();
  /** In the order in which they came to be known; those that owed money went out with too. */
  readonly payouts: string[] = [];
  pushedCents = 0;
  links = 0;

  learn(key: number, wish: Json, { status, body }: Answer): void {
    if (status === 422) return expect(body.error).toBe('idempotency_conflict');
    expect([200, 201]).toContain(status);
    const known = this.ids.get(key);
    if (known) expect(body.id).toBe(known);
    this.ids.set(key, body.id);
    this.meet(body.id);
    const first = this.bodies.get(key) ?? {
      amountCents: body.amountCents,
      currency: body.currency,
      payeeId: body.payeeId,
    };
    this.bodies.set(key, first);
    expect(body).toMatchObject(first);
    if (status === 201) expect(body).toMatchObject({ amountCents: wish.amountCents, currency: wish.currency });
    this.see(body);
  }

  meet(id: string): void {
    if (!this.payouts.includes(id)) this.payouts.push(id);
  }

  payout(of: number): string | undefined {
    return this.payouts.length === 0 ? undefined : this.payouts[of % this.payouts.length];
  }

  /** A reference means one row for ever, whatever is sent with it later. */
  learnRow(ref: number, cents: number, { status, body }: Answer): void {
    expect(status).toBe(207);
    const [{ disbursement, idempotentReplay }] = body.results as [Json];
    const known = this.rows.get(ref);
    if (known)
      expect(disbursement).toMatchObject({ id: known.id, amountCents: known.amountCents, payeeId: known.payeeId });
    if (!idempotentReplay) {
      expect(disbursement.amountCents).toBe(cents);
      this.pushedCents += cents;
    }
    this.rows.set(ref, disbursement);
  }

  /** Nothing leaves `returned`, or `failed` for good; `paid` only ever comes back. */
  see({ id, status, failureKind }: Json): void {
    const before = this.final.get(id);
    if (before === 'paid') expect(['paid', 'returned']).toContain(status);
    else if (before) expect(status).toBe(before);
    if (status === 'paid' || status === 'returned' || (status === 'failed' && failureKind === 'permanent'))
      this.final.set(id, status);
  }
}
