/** Withdrawals, pushes, retries and recovery links at once: no row twice, no cent lost, nobody waits in a circle. */
import { type Answer, type ApiClient, type Json, newClient, operator, underTest } from '../harness/api';
import { query } from '../harness/database';
import { balanceOf, owe, owedRow, payoutOf, push, rowsOf, withdraw } from '../harness/owed';

/** Every row that was ever on a payout in that state, as the payouts themselves have it. */
async function paidCents(client: ApiClient, payeeId: string): Promise<number> {
  const [row] = await query<{ cents: string }>(
    underTest().databaseUrl,
    `SELECT coalesce(sum(amount_cents), 0) AS cents FROM payouts WHERE client_id = $1 AND payee_id = $2 AND status = 'paid'`,
    [client.id, payeeId],
  );
  return Number(row?.cents);
}

async function ledgerCents(payeeId: string): Promise<Record<string, number>> {
  const rows = await query<{ status: string; cents: string }>(
    underTest().databaseUrl,
    'SELECT status, sum(amount_cents) AS cents FROM disbursements WHERE payee_id = $1 GROUP BY status',
    [payeeId],
  );
  return Object.fromEntries(rows.map(({ status, cents }) => [status, Number(cents)]));
}

/** As PostgreSQL counts them. */
async function deadlocks(): Promise<number> {
  const sql = 'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()';
  const [row] = await query<{ deadlocks: number }>(underTest().databaseUrl, sql);
  return row?.deadlocks ?? 0;
}

const rotated = <T>(items: T[], by: number): T[] => {
  const at = by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
};

const noneFailed = (answers: Answer[]): void => expect(answers.filter(({ status }) => status >= 500)).toEqual([]);

describe('owed money under load', () => {
  let client: ApiClient;
  beforeAll(async () => {
    client = await newClient({ caps: { singleCents: 100_000_000, dailyCents: 100_000_000 } });
  });

  test('30 withdrawals at once while rows are pushed and a failed payout is tried again', async () => {
    const { id } = await client.payablePayee();
    const [first] = await owe(client, id, [10_000], { reason: 'mock:fail_once' });
    await withdraw(client, id);
    const failed = await payoutOf(client, first);
    const pushes = Array.from({ length: 10 }, (_, turn) =>
      push(
        client,
        Array.from({ length: 20 }, (_, index) => owedRow(id, { amountCents: 100 + turn * 20 + index })),
      ),
    );
    const withdrawals = Array.from({ length: 30 }, () => withdraw(client, id));
    const retries = Array.from({ length: 5 }, () => client.post(`/payouts/${failed.id}/retry`));
    const answers = await Promise.all([...pushes, ...withdrawals, ...retries]);
    noneFailed(answers);
    await withdraw(client, id);
    const pushedCents = 10_000 + Array.from({ length: 200 }, (_, index) => 100 + index).reduce((a, b) => a + b, 0);
    expect(await ledgerCents(id)).toEqual({ paid: pushedCents });
    expect(await paidCents(client, id)).toBe(pushedCents);
    expect(await balanceOf(client, id)).toMatchObject({ withdrawableCents: 0, landedCents: pushedCents });
    const counted = (await Promise.all(withdrawals)).filter(({ status }) => status === 200);
    expect(counted.reduce((sum, { body }) => sum + body.failed, 0)).toBe(0);
  });

  test('a withdrawal against a retry of the failed payout: the rows are paid once', async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      const { id } = await client.payablePayee();
      const rows = await owe(client, id, [1_000, 500], { reason: 'mock:fail_once' });
      await withdraw(client, id);
      const old = await payoutOf(client, rows[0]);
      await owe(client, id, [200]);
      const [taken, retried] = await Promise.all([withdraw(client, id), client.post(`/payouts/${old.id}/retry`)]);
      noneFailed([taken, retried]);
      expect([200, 409]).toContain(retried.status);
      expect(taken.body).toMatchObject({ released: retried.status === 200 ? 1 : 3 });
      expect(await paidCents(client, id)).toBe(1_700);
      expect((await rowsOf(client, id)).map(({ status }) => status)).toEqual(['paid', 'paid', 'paid']);
    }
  });

  test('a recovery link against a withdrawal: one of them gets the rows', async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      const { id } = await client.payablePayee();
      const rows = await owe(client, id, [1_000], { reason: 'mock:fail_permanent' });
      await withdraw(client, id);
      const { body: other } = await client.payout(id, { amountCents: 1_000 });
      const link = { replacementTransactionId: other.id, disbursementIds: rows.map((row: Json) => row.id) };
      const answers = await Promise.all([
        withdraw(client, id),
        client.post('/disbursements/recovery-link', link),
        client.post('/disbursements/recovery-link', link),
      ]);
      noneFailed(answers);
      const [withdrawal, ...links] = answers as [Answer, Answer, Answer];
      const linked = links.filter(({ status, body }) => status === 200 && !body.idempotentReplay);
      expect(linked.length).toBeLessThanOrEqual(1);
      if (withdrawal.status === 409) expect(linked).toHaveLength(1);
      const balance = await balanceOf(client, id);
      expect(balance.withdrawableCents + balance.landedCents).toBe(linked.length === 1 ? 1_000 : 2_000);
    }
  });

  test('pushes, batches, withdrawals and returns of the same payees, in any order, never wait in a circle', async () => {
    const before = await deadlocks();
    const payees = await Promise.all(Array.from({ length: 12 }, () => client.payablePayee()));
    const reason = 'mock:return';
    const rows = (turn: number): Json[] => rotated(payees, turn).map(({ id }) => owedRow(id, { reason }));
    const items = (turn: number): Json[] =>
      rotated(payees, turn).map(({ id }) => ({ payeeId: id, amountCents: 150, currency: 'USD', reason }));
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, (_, turn) => push(client, rows(turn))),
      ...Array.from({ length: 20 }, (_, turn) =>
        client.post('/payouts/batch', { idempotencyKey: `batch-${payees[0].id}-${turn}`, items: items(turn) }),
      ),
      ...payees.flatMap(({ id }: Json) => [withdraw(client, id), withdraw(client, id)]),
      ...payees.map(({ id }: Json) => client.payout(id, { reason })),
    ]);
    noneFailed(answers);
    expect(await deadlocks()).toBe(before);
  });

  test('20 withdrawals at once on one wallet: it covers what it covers', async () => {
    const prepaid = await newClient({ prepaid: true });
    const payees = await Promise.all(Array.from({ length: 4 }, () => prepaid.payablePayee()));
    for (const { id } of payees) await owe(prepaid, id, [300, 300, 300]);
    const entry = { type: 'deposit', currency: 'USD', amountCents: 2_000, reference: 'one' };
    await operator('POST', `/clients/${prepaid.id}/wallet/entries`, entry);
    noneFailed(
      await Promise.all(Array.from({ length: 20 }, (_, turn) => withdraw(prepaid, (payees[turn % 4] as Json).id))),
    );
    const paid = await Promise.all(payees.map(({ id }: Json) => paidCents(prepaid, id)));
    expect(paid.reduce((a, b) => a + b, 0)).toBe(1_800);
    const { body } = await prepaid.get('/wallet');
    expect(body[0]).toMatchObject({ paidCents: 1_800, availableCents: 200 });
  });
});
