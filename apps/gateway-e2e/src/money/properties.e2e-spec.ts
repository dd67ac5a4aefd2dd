/**
 * Random histories, several things at a time, against a small model. After every round the whole of a client's money is
 * checked, whatever was refused, held or failed on the way. A failure prints its seed and the shortest history that fails.
 */
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { type Answer, type ApiClient, eventually, type Json, newClient, operator, underTest } from '../harness/api';
import { query } from '../harness/database';
import { brokenInvariants } from '../harness/invariants';
import { deposit } from '../harness/money';

const DAILY_CENTS = 1_500;
const RUNS = Number(process.env.PROPERTY_RUNS ?? 20);

type Step =
  | { kind: 'create'; payee: number; cents: number; currency: string; reason: string | null; key: number }
  | { kind: 'release' | 'retry' | 'settle' | 'fail' | 'return' | 'give up'; of: number }
  | { kind: 'deposit'; cents: number; currency: string }
  | { kind: 'sweep' | 'release job' | 'reconcile' };
/** A day turns for everybody at once, so that nothing else happens in that round. */
type Round = { turn: true } | { turn: false; steps: Step[] };

const reasons = ['fail_transient', 'fail_permanent', 'insufficient_funds', 'timeout', 'pending', 'return', 'fail_once'];
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
  kind: fc.constantFrom('release' as const, 'retry', 'settle', 'fail', 'return', 'give up'),
  of: fc.nat(40),
});
const funds: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('deposit' as const),
  cents: fc.integer({ min: 1, max: 1_500 }),
  currency,
});
const work: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('sweep' as const, 'release job', 'reconcile'),
});
const step = fc.oneof(
  { arbitrary: create, weight: 6 },
  { arbitrary: remedy, weight: 5 },
  { arbitrary: funds, weight: 2 },
  { arbitrary: work, weight: 1 },
);
const round: fc.Arbitrary<Round> = fc.oneof(
  {
    arbitrary: fc.record({ turn: fc.constant(false as const), steps: fc.array(step, { minLength: 1, maxLength: 12 }) }),
    weight: 9,
  },
  { arbitrary: fc.record({ turn: fc.constant(true as const) }), weight: 1 },
);

/** What a caller knows for certain, whatever the order in which things happened. */
class Model {
  readonly ids = new Map<number, string>();
  readonly bodies = new Map<number, Json>();
  readonly final = new Map<string, string>();

  learn(key: number, wish: Json, { status, body }: Answer): void {
    if (status === 422) return expect(body.error).toBe('idempotency_conflict');
    expect([200, 201]).toContain(status);
    const known = this.ids.get(key);
    if (known) expect(body.id).toBe(known);
    this.ids.set(key, body.id);
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

  /** Nothing leaves `returned`, or `failed` for good; `paid` only ever comes back. */
  see({ id, status, failureKind }: Json): void {
    const before = this.final.get(id);
    if (before === 'paid') expect(['paid', 'returned']).toContain(status);
    else if (before) expect(status).toBe(before);
    if (status === 'paid' || status === 'returned' || (status === 'failed' && failureKind === 'permanent'))
      this.final.set(id, status);
  }
}

describe('properties of payouts', () => {
  async function world(): Promise<{ client: ApiClient; payees: Json[] }> {
    const client = await newClient({ prepaid: true, caps: { singleCents: 1_000, dailyCents: DAILY_CENTS } });
    return { client, payees: [await client.payablePayee(), await client.payablePayee()] };
  }

  function take(client: ApiClient, payees: Json[], model: Model, one: Step): Promise<unknown> {
    switch (one.kind) {
      case 'create': {
        const wish = {
          amountCents: one.cents,
          currency: one.currency,
          reason: one.reason,
          idempotencyKey: `key-${one.key}`,
        };
        return client.payout(payees[one.payee].id, wish).then((answer) => model.learn(one.key, wish, answer));
      }
      case 'deposit':
        return deposit(client, one.cents, { currency: one.currency, reference: randomUUID() }).then(({ status }) =>
          expect(status).toBe(201),
        );
      case 'sweep':
        return expectStatus(operator('POST', '/jobs/sweep/run'), 200);
      case 'release job':
        return expectStatus(operator('POST', '/jobs/release/run'), 200);
      case 'reconcile':
        return expectStatus(operator('POST', '/jobs/reconcile/run'), 200);
      default:
        return remedied(client, model.ids.get(one.of), one.kind).then((answer) => {
          if (!answer) return;
          expect([200, 409]).toContain(answer.status);
          if (answer.status === 200) model.see(answer.body);
        });
    }
  }

  async function remedied(client: ApiClient, id: string | undefined, kind: string): Promise<Answer | null> {
    if (!id) return null;
    if (kind === 'give up') return operator('POST', `/payouts/${id}/fail`);
    if (kind === 'release' || kind === 'retry') return client.post(`/payouts/${id}/${kind}`);
    const body = kind === 'fail' ? { kind: 'transient' } : kind === 'return' ? { liftingFeeCents: 1 } : undefined;
    return client.post(`/test/payouts/${id}/${kind}`, body);
  }

  test('hold through any history', async () => {
    let steps = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 5, maxLength: 15 }), async (rounds) => {
        const { client, payees } = await world();
        const model = new Model();
        for (const current of rounds) {
          if (current.turn) await turnTheDay(client.id);
          else await Promise.all(current.steps.map((one) => take(client, payees, model, one)));
          steps += current.turn ? 1 : current.steps.length;
          expect(await brokenInvariants({ clientId: client.id, dailyCents: DAILY_CENTS })).toEqual([]);
        }
        for (const { body } of await Promise.all([...model.ids.values()].map((id) => client.get(`/payouts/${id}`))))
          model.see(body);
      }),
      { numRuns: RUNS, endOnFailure: true, interruptAfterTimeLimit: 500_000, markInterruptAsFailure: true },
    );
    process.stdout.write(`${steps} steps in ${RUNS} histories\n`);
    expect(steps).toBeGreaterThan(RUNS * 20);
  }, 600_000);
});

async function expectStatus(asked: Promise<Answer>, status: number): Promise<void> {
  expect((await asked).status).toBe(status);
}

/** Everything of this client happened a day earlier. Its own work is waited for: a row that is locked must not be waited on. */
async function turnTheDay(clientId: string): Promise<void> {
  const { databaseUrl } = underTest();
  await eventually(
    () =>
      query(
        databaseUrl,
        `SELECT FROM jobs JOIN payouts ON entity_id = payouts.id WHERE client_id = $1 AND lease_token IS NOT NULL`,
        [clientId],
      ),
    (held) => held.length === 0,
  );
  await query(
    databaseUrl,
    `UPDATE payouts SET updated_at = updated_at - interval '1 day', authorized_on = authorized_on - 1 WHERE client_id = $1`,
    [clientId],
  );
}
