/**
 * Random histories, several things at a time, against a small model. After every round the whole of a client's money is
 * checked, whatever was refused, held or failed on the way. A failure prints its seed and the shortest history that fails.
 */
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { type Answer, type ApiClient, eventually, type Json, newClient, operator, underTest } from '../harness/api';
import { Model, round, type Step } from '../harness/history';
import { brokenInvariants } from '../harness/invariants';
import { deposit } from '../harness/money';
import { owedRow, push, withdraw } from '../harness/owed';

const DAILY_CENTS = 1_500;
const RUNS = Number(process.env.PROPERTY_RUNS ?? 20);

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
      case 'push': {
        const { cents, currency, reason, ref } = one;
        const row = owedRow(payees[one.payee].id, { amountCents: cents, currency, reason, externalRef: `row-${ref}` });
        return push(client, [row]).then((answer) => model.learnRow(ref, cents, answer));
      }
      case 'withdraw':
        return expectStatus(withdraw(client, payees[one.payee].id), 200, 409);
      case 'link':
        return linked(client, model, one.of);
      case 'sweep':
        return expectStatus(operator('POST', '/jobs/sweep/run'), 200);
      case 'release job':
        return expectStatus(operator('POST', '/jobs/release/run'), 200);
      case 'reconcile':
        return expectStatus(operator('POST', '/jobs/reconcile/run'), 200);
      default:
        return remedied(client, model.payout(one.of), one.kind).then((answer) => {
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
    let links = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 5, maxLength: 15 }), async (rounds) => {
        const { client, payees } = await world();
        const model = new Model();
        for (const current of rounds) {
          if (current.turn) await turnTheDay(client.id);
          else await Promise.all(current.steps.map((one) => take(client, payees, model, one)));
          steps += current.turn ? 1 : current.steps.length;
          const { pushedCents } = model;
          expect(await brokenInvariants({ clientId: client.id, dailyCents: DAILY_CENTS, pushedCents })).toEqual([]);
          for (const payout of (await client.get('/payouts')).body.data) model.meet(payout.id);
        }
        for (const { body } of await Promise.all(model.payouts.map((id) => client.get(`/payouts/${id}`))))
          model.see(body);
        links += model.links;
      }),
      { numRuns: RUNS, endOnFailure: true, interruptAfterTimeLimit: 500_000, markInterruptAsFailure: true },
    );
    process.stdout.write(`${steps} steps in ${RUNS} histories, ${links} recovery links\n`);
    expect(steps).toBeGreaterThan(RUNS * 20);
  }, 600_000);
});

async function expectStatus(asked: Promise<Answer>, ...statuses: number[]): Promise<void> {
  expect(statuses).toContain((await asked).status);
}

/** The money of a row that failed went out as another payout; somebody may have withdrawn the row meanwhile. */
async function linked(client: ApiClient, model: Model, of: number): Promise<void> {
  const { body } = await client.get('/disbursements?status=owed');
  const failed = (body.data as Json[]).filter(({ transactionId }) => transactionId !== null);
  const row = failed[of % failed.length];
  if (!row) return;
  const { amountCents, currency } = row;
  const { body: replacement } = await client.payout(row.payeeId, {
    amountCents,
    currency,
    idempotencyKey: randomUUID(),
  });
  const link = { replacementTransactionId: replacement.id, disbursementIds: [row.id] };
  const { status } = await client.post('/disbursements/recovery-link', link);
  expect([200, 409]).toContain(status);
  if (status === 200) model.links += 1;
}

/**
 * Everything of this client happened a day earlier, payouts and balances alike. Its jobs are held meanwhile: what one of
 * them authorized and took back between two statements would stand in a day that has turned for the balance only.
 */
async function turnTheDay(clientId: string): Promise<void> {
  const database = new Client({ connectionString: underTest().databaseUrl });
  await database.connect();
  try {
    await eventually(() => turned(database, clientId), Boolean);
  } finally {
    await database.end();
  }
}

/** Not while one of its jobs runs: it may wait for a row that is locked here. */
async function turned(database: Client, clientId: string): Promise<boolean> {
  await database.query('BEGIN');
  const { rows } = await database.query(
    `SELECT lease_token FROM jobs JOIN payouts ON entity_id = payouts.id WHERE client_id = $1 FOR UPDATE OF jobs`,
    [clientId],
  );
  const isIdle = rows.every(({ lease_token }) => lease_token === null);
  if (isIdle) {
    await database.query(
      `UPDATE payouts SET updated_at = updated_at - interval '1 day', authorized_on = authorized_on - 1 WHERE client_id = $1`,
      [clientId],
    );
    await database.query(
      'UPDATE balances SET day = day - 1 WHERE payee_id IN (SELECT id FROM payees WHERE client_id = $1)',
      [clientId],
    );
  }
  await database.query(isIdle ? 'COMMIT' : 'ROLLBACK');
  return isIdle;
}
