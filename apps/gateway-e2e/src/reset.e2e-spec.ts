/** A test client is made as new: all that came to be of it is gone, and it goes on with its keys and its webhook. */
import { randomUUID } from 'node:crypto';
import { type Answer, type ApiClient, eventually, type Json, newClient, operator, underTest } from './harness/api';
import { query } from './harness/database';
import { deposit, reachesStatus } from './harness/money';
import { owe, withdraw } from './harness/owed';
import { linkIn, mailsTo } from './harness/wallet';
import { WebhookCatcher } from './harness/webhook-catcher';

const DAY = 86_400;
const reset = (client: ApiClient, token?: string): Promise<Answer> =>
  operator('POST', `/clients/${client.id}/reset`, undefined, token);
const sql = <T extends object = Json>(text: string, values: unknown[] = []): Promise<T[]> =>
  query<T>(underTest().databaseUrl, text, values);

interface Life {
  payee: Json;
  payout: Json;
  idempotencyKey: string;
  externalRef: string;
  batch: Json;
}

/** What a tester does in a day. */
async function lived(client: ApiClient): Promise<Life> {
  const idempotencyKey = randomUUID();
  const payee = await client.payablePayee({ email: `${randomUUID()}@example.com` });
  const { body: payout } = await client.payout(payee.id, { idempotencyKey });
  const batch = {
    idempotencyKey: randomUUID(),
    items: [{ payeeId: payee.id, amountCents: 700, currency: 'USD' }],
  };
  expect((await client.post('/payouts/batch', batch)).status).toBe(207);
  const [row] = await owe(client, payee.id, [1_500]);
  await withdraw(client, payee.id);
  await owe(client, payee.id, [200]);
  await client.payout(payee.id, { reason: 'mock:claim' });
  await client.payout(payee.id, { reason: 'mock:two_legs' });
  await client.post(`/payees/${payee.id}/portal-link`, {});
  await mailsTo(payee.email, 2);
  return { payee, payout, idempotencyKey, externalRef: row.externalRef, batch };
}

/** All that can be read of a client. */
async function lists(client: ApiClient): Promise<Json[]> {
  const paths = ['/payees', '/payouts', '/disbursements'];
  const own = await Promise.all(paths.map(async (path) => (await client.get(path)).body.data));
  const mails = await operator('GET', `/mails?clientId=${client.id}`);
  const events = await operator('GET', `/events?clientId=${client.id}`);
  return [...own, mails.body.data, events.body.data];
}
const lengthsOf = async (client: ApiClient): Promise<number[]> => (await lists(client)).map(({ length }) => length);

const RECORDS = `SELECT key FROM rail_records WHERE rail = 'mock'
  AND key IN (SELECT prefix || $1 FROM unnest(ARRAY['payment:', 'leg:']) AS one (prefix))`;
const keysOf = async ({ id }: ApiClient): Promise<string[]> =>
  (await sql<{ key: string }>('SELECT rail_key AS key FROM payouts WHERE client_id = $1', [id])).map(({ key }) => key);
const LEFT_BEHIND = `
  SELECT rail_key FROM drift WHERE rail_key = ANY($1) UNION ALL SELECT rail_key FROM rail_movements WHERE rail_key = ANY($1)
  UNION ALL SELECT key FROM rail_records WHERE rail = 'mock' AND substr(key, 9) = ANY($1)`;
const railKeyOf = async ({ id }: Json): Promise<string> =>
  (await sql<{ railKey: string }>('SELECT rail_key AS "railKey" FROM payouts WHERE id = $1', [id]))[0]?.railKey ?? '';

describe('a client that is reset', () => {
  let catcher: WebhookCatcher;
  let client: ApiClient;
  let other: ApiClient;
  beforeAll(async () => {
    catcher = await new WebhookCatcher().start();
    [client, other] = [await newClient({ webhookUrl: catcher.url, prepaid: true }), await newClient()];
    await deposit(client, 1_000_000);
  });
  afterAll(() => catcher.stop());

  test('has nothing of what it had, and does all of it anew; another keeps what it has', async () => {
    const [life, otherLife] = [await lived(client), await lived(other)];
    await reachesStatus(other, otherLife.payout.id, 'paid');
    const railKey = await railKeyOf(life.payout);
    expect(await sql(RECORDS, [railKey])).not.toEqual([]);
    for (const length of await lengthsOf(client)) expect(length).toBeGreaterThan(0);
    const kept = (await lists(other)).slice(0, 3);
    const before = (await operator('GET', `/clients/${client.id}`)).body;

    const { status, body } = await reset(client);
    expect([status, body.clientId]).toEqual([200, client.id]);
    expect(body.cleared).toMatchObject({ payees: 1, disbursements: 2, walletEntries: 1 });
    expect(body.cleared.payouts).toBeGreaterThanOrEqual(5);

    expect(await lengthsOf(client)).toEqual([0, 0, 0, 0, 0]);
    expect(await sql(RECORDS, [railKey])).toEqual([]);
    expect((await client.get(`/payees/${life.payee.id}`)).status).toBe(404);
    expect((await client.get(`/payouts/${life.payout.id}`)).status).toBe(404);
    expect((await lists(other)).slice(0, 3).map((rows: Json[]) => rows.map(({ id }) => id))).toEqual(
      kept.map((rows: Json[]) => rows.map(({ id }) => id)),
    );
    const { createdAt, updatedAt, ...settings } = (await operator('GET', `/clients/${client.id}`)).body;
    const keys = before.keys.map((key: Json) => ({ ...key, createdAt }));
    expect({ ...before, keys, createdAt, updatedAt }).toEqual({ ...settings, createdAt, updatedAt });
    const [line] = (await operator('GET', `/audit?clientId=${client.id}&limit=1`)).body.data;
    expect(line).toMatchObject({ action: 'client.reset', after: body.cleared });

    // The same names, the same keys, and money of its own.
    await deposit(client, 1_000_000);
    const again = await client.payablePayee({ externalId: life.payee.externalId, email: life.payee.email });
    expect(again.id).not.toBe(life.payee.id);
    const { body: paid, status: made } = await client.payout(again.id, { idempotencyKey: life.idempotencyKey });
    expect([made, paid.status]).toEqual([201, 'paid']);
    expect(await railKeyOf(paid)).toBe(railKey);
    const batch = { ...life.batch, items: life.batch.items.map((item: Json) => ({ ...item, payeeId: again.id })) };
    const { body: rows } = await client.post('/payouts/batch', batch);
    expect(rows.results).toMatchObject([{ status: 'ok', idempotentReplay: false }]);
    const [owed] = await owe(client, again.id, [1_500], { externalRef: life.externalRef });
    expect(owed.externalRef).toBe(life.externalRef);
    const told = await catcher.waitFor(({ json }) => JSON.stringify(json).includes(paid.id));
    expect(told.json).toBeDefined();
  });

  test('lets nobody in by a link from before', async () => {
    const payee = await client.payablePayee({ email: `${randomUUID()}@example.com` });
    await client.post(`/payees/${payee.id}/portal-link`, {});
    const [mail] = await mailsTo(payee.email, 1);
    await reset(client);
    const { status } = await fetch(linkIn(mail), { method: 'POST' });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });

  test('is as young as a new one: its time passes anew', async () => {
    const old = await newClient();
    for (let passed = 0; passed < 20; passed += 1) await old.post('/test/clock', { advanceSeconds: 365 * DAY });
    await reset(old);
    const { createdAt } = (await operator('GET', `/clients/${old.id}`)).body;
    const [{ now }] = (await sql<{ now: Date }>('SELECT now()')) as [{ now: Date }];
    expect(now.getTime() - Date.parse(createdAt)).toBeLessThan(3_600_000);
    for (let passed = 0; passed < 40; passed += 1)
      expect((await old.post('/test/clock', { advanceSeconds: 365 * DAY })).status).toBe(200);
  });

  test('and is live is refused, as is one that is not there, and whoever is no admin', async () => {
    const live = await newClient({ testMode: false });
    const payee = await live.payee();
    const refused = await reset(live);
    expect([refused.status, refused.body.error]).toEqual([409, 'client_is_live']);
    expect(refused.body.message).toMatch(/^This client is live: .+\.$/);
    expect((await live.get(`/payees/${payee.id}`)).status).toBe(200);
    const [line] = (await operator('GET', `/audit?clientId=${live.id}&limit=1`)).body.data;
    expect(line).toMatchObject({ action: 'client.reset_refused', after: { error: 'client_is_live' } });

    expect((await operator('POST', `/clients/${randomUUID()}/reset`)).body.error).toBe('client_not_found');
    for (const role of ['viewer', 'operator']) {
      const { body } = await operator('POST', '/operators', { name: randomUUID(), role });
      expect(await reset(other, body.token)).toMatchObject({ status: 403, body: { error: 'insufficient_role' } });
    }
    expect((await lengthsOf(other))[0]).toBeGreaterThan(0);
  });

  test('while it pays answers nobody with an error of ours, and leaves nothing half', async () => {
    const busy = await newClient();
    const payees = await Promise.all(Array.from({ length: 4 }, () => busy.payablePayee()));
    const answers: Answer[] = [];
    const resets: Answer[] = [];
    const railKeys = new Set<string>();
    let isOver = false;
    const pays = async (n: number): Promise<void> => {
      while (!isOver) {
        const payee = n % 2 ? payees[n] : await busy.payablePayee();
        const reason = ['mock:slow', 'mock:two_legs', 'mock:claim', undefined][n];
        answers.push(await busy.payout(payee?.id ?? randomUUID(), { reason, amountCents: 100 }));
        answers.push(
          await busy.post('/disbursements', {
            items: [{ payeeId: payee?.id, amountCents: 300, currency: 'USD', externalRef: randomUUID() }],
          }),
        );
      }
    };
    const all = [0, 1, 2, 3].map(pays);
    for (let round = 0; round < 6; round += 1) {
      await eventually(
        async () => answers.length,
        (length) => length >= (round + 1) * 20,
      );
      for (const key of await keysOf(busy)) railKeys.add(key);
      resets.push(...(await Promise.all([reset(busy), reset(busy)])));
    }
    isOver = true;
    await Promise.all(all);
    expect(resets.map(({ status }) => status).filter((status) => status !== 200)).toEqual([]);
    expect(answers.filter(({ status }) => status === 500 || status === undefined)).toEqual([]);
    for (const key of await keysOf(busy)) railKeys.add(key);
    expect((await reset(busy)).status).toBe(200);
    expect(railKeys.size).toBeGreaterThan(0);
    const left = `SELECT count(*)::int AS count FROM jobs WHERE lane = $1 OR owner = $1`;
    await eventually(
      () => sql(left, [busy.id]),
      ([row]) => row?.count === 0,
    );
    expect(await lengthsOf(busy)).toEqual([0, 0, 0, 0, 0]);
    await operator('POST', '/jobs/reconcile/run');
    expect(await sql(LEFT_BEHIND, [[...railKeys]])).toEqual([]);
  });
});
