/** A test client lets time pass, and sees what would otherwise take hours, days or weeks. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '#libs/domain';
import {
  type Answer,
  ApiClient,
  eventually,
  type Json,
  newClient,
  operator,
  signedHeaders,
  underTest,
} from '../harness/api';
import { deposit, reachesStatus, readPayout, reasonOf, stepsOf } from '../harness/money';
import { WebhookCatcher } from '../harness/webhook-catcher';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

const advance = (client: ApiClient, advanceSeconds: unknown): Promise<Answer> =>
  client.post('/test/clock', { advanceSeconds });
const passed = async (client: ApiClient, seconds: number): Promise<Json> => {
  const { status, body } = await advance(client, seconds);
  expect(status).toBe(200);
  return body.ran;
};

test('time passes until a client is from 1970, and what it has can be listed by everybody', async () => {
  const client = await newClient();
  for (let made = 0; made < 2; made += 1) await client.payee();
  let answer = await advance(client, YEAR);
  for (let turn = 0; turn < 60 && answer.status === 200; turn += 1) answer = await advance(client, YEAR);
  expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
  expect(answer.body.details.fields[0].message).toContain('1970');
  expect((await advance(client, HOUR)).status).toBe(200);
  const { data, nextCursor } = (await client.get('/payees?limit=1')).body;
  expect(Date.parse(data[0].createdAt)).toBeGreaterThan(0);
  expect((await client.get(`/payees?limit=1&cursor=${nextCursor}`)).body.data).toHaveLength(1);
});

describe('time that passes for a test client', () => {
  let client: ApiClient;
  let payee: Json;
  beforeAll(async () => {
    client = await newClient();
    payee = await client.payablePayee();
  });

  const asked = async (reason?: string): Promise<Json> => (await client.payout(payee.id, { reason })).body;

  test('is told with the real time and with what came due', async () => {
    const before = systemClock.now().getTime();
    const { status, body } = await advance(client, 1);
    expect(status).toBe(200);
    expect(Math.abs(Date.parse(body.now) - before)).toBeLessThan(60_000);
    expect(Object.keys(body.ran)).toEqual(['railQuestions', 'retries', 'webhooks', 'mails', 'others', 'released']);
  });

  test.each([0, -1, 1.5, 31_536_001, '60', null, undefined])('cannot be %j seconds', async (seconds) => {
    const { status, body } = await advance(client, seconds);
    expect([status, body.error]).toEqual([400, 'invalid_request']);
    expect(body.details.fields[0].path).toBe('advanceSeconds');
  });

  test('is not there for a live client, nor for a key without the scope', async () => {
    const live = await newClient({ testMode: false });
    const payeeOf = await live.payee();
    const answer = await advance(live, DAY);
    expect([answer.status, answer.body.error]).toEqual([404, 'not_found']);
    expect((await live.get(`/payees/${payeeOf.id}`)).body).toEqual(payeeOf);
    const reader = await newClient({ scopes: ['payouts:read'] });
    expect(await advance(reader, DAY)).toMatchObject({ status: 403, body: { error: 'insufficient_scope' } });
  });

  test('ends a cool-down, and no earlier', async () => {
    const owner = await newClient({ coolDownSeconds: DAY });
    const { id, externalId } = await owner.payee();
    const adopt = (): Promise<Answer> =>
      owner.post(`/payees/${id}/methods`, { provider: 'custodial_a', providerAccountId: `acct_${randomUUID()}` });
    expect((await adopt()).status).toBe(200);
    await owner.post('/payees', { externalId, email: 'other@example.com' });
    await passed(owner, DAY - HOUR);
    expect(await adopt()).toMatchObject({ status: 409, body: { error: 'payee_cooling_down' } });
    await passed(owner, HOUR);
    expect((await adopt()).status).toBe(200);
  });

  test('turns the day: what the cap held releases itself', async () => {
    const owner = await newClient({ caps: { dailyCents: 1_000 } });
    const of = await owner.payablePayee();
    const pay = async (amountCents: number): Promise<Json> => (await owner.payout(of.id, { amountCents })).body;
    const [first, held, last] = [await pay(1_000), await pay(600), await pay(600)];
    expect([first.status, held.status, last.status]).toEqual(['paid', 'held', 'held']);
    expect(await passed(owner, DAY)).toMatchObject({ released: 1 });
    await reachesStatus(owner, held.id, 'paid');
    expect(reasonOf(await readPayout(owner, last.id))).toBe('cap_exceeded_daily');
    expect(await passed(owner, DAY)).toMatchObject({ released: 1 });
    await reachesStatus(owner, last.id, 'paid');
  });

  test('has a claim expire', async () => {
    const { id, status } = await asked('mock:claim');
    expect(status).toBe('submitted');
    await passed(client, 29 * DAY);
    const waiting = await asked('mock:claim');
    expect(await passed(client, DAY)).toMatchObject({ railQuestions: expect.any(Number) });
    const expired = await reachesStatus(client, id, 'failed');
    expect([reasonOf(expired), expired.failureKind]).toEqual(['claim_expired', 'permanent']);
    const claimed = await client.post(`/test/payouts/${waiting.id}/claim`, {});
    expect(claimed.status).toBe(200);
    await passed(client, 31 * DAY);
    expect((await client.post(`/test/payouts/${waiting.id}/settle`, {})).body.status).toBe('paid');
  });

  test('settles what is slow, and sends back what comes back later', async () => {
    const owner = await newClient();
    const of = await owner.payablePayee();
    const pay = async (reason: string): Promise<Json> => (await owner.payout(of.id, { reason })).body;
    const [slow, later] = [await pay('mock:slow'), await pay('mock:bounce_later')];
    const { railQuestions } = await passed(owner, HOUR);
    expect(railQuestions).toBeGreaterThanOrEqual(2);
    const paid = await reachesStatus(owner, slow.id, 'paid', 5_000);
    expect(Date.parse(paid.settledAt)).toBeLessThan(systemClock.now().getTime() - HOUR * 1000 + 60_000);
    await reachesStatus(owner, later.id, 'returned', 5_000);
  });

  test('makes the next attempt at a webhook hours later', async () => {
    const catcher = await new WebhookCatcher().start();
    try {
      catcher.behave((_, response) => void response.writeHead(500).end());
      const owner = await newClient({ webhookUrl: catcher.url, eventTypes: ['payout.status'] });
      await owner.payout((await owner.payablePayee()).id);
      const events = async (): Promise<Json[]> => (await owner.get('/events?type=payout.status')).body.data;
      const waiting = await eventually(events, (all) => all.length > 0 && all.every((one) => one.attempts === 1));
      catcher.behave();
      expect(await passed(owner, 2 * HOUR)).toMatchObject({ webhooks: waiting.length });
      const delivered = await eventually(events, (all) => all.every(({ status }) => status === 'delivered'));
      expect(delivered.map(({ attempts }) => attempts)).toEqual(waiting.map(() => 2));
    } finally {
      await catcher.stop();
    }
  });

  test('ends the grace of a key', async () => {
    const owner = await newClient();
    const { body } = await operator('POST', `/clients/${owner.id}/keys`, { overlapSeconds: HOUR });
    const renewed = new ApiClient(owner.id, body.apiKey, owner.secret, underTest().urls);
    expect((await owner.get('/payees')).status).toBe(200);
    await passed(renewed, HOUR);
    await eventually(
      () => owner.get('/payees'),
      ({ status }) => status === 401,
    );
    expect((await renewed.get('/payees')).status).toBe(200);
  });

  test('asks again about what was paid', async () => {
    const owner = await newClient();
    await owner.payout((await owner.payablePayee()).id);
    expect(await passed(owner, 500)).toMatchObject({ railQuestions: 0 });
    expect(await passed(owner, 200)).toMatchObject({ railQuestions: 1 });
  });

  test('forgets no key of idempotency, and no signature', async () => {
    const idempotencyKey = randomUUID();
    const first = await client.payout(payee.id, { idempotencyKey });
    const body = JSON.stringify({ payeeId: payee.id, amountCents: 1, currency: 'USD', idempotencyKey: randomUUID() });
    const signed = signedHeaders(client.key, client.secret, body);
    expect((await client.raw('POST', '/payouts', body, signed)).status).toBe(201);
    await passed(client, 365 * DAY);
    const again = await client.payout(payee.id, { idempotencyKey });
    expect([again.status, again.body.id]).toEqual([200, first.body.id]);
    expect((await client.payout(payee.id, { idempotencyKey, amountCents: 7 })).status).toBe(422);
    expect(await client.raw('POST', '/payouts', body, signed)).toMatchObject({ body: { error: 'replayed_request' } });
  });
});

describe('a cursor from before', () => {
  const LISTS = {
    payouts: { path: '/payouts?', name: 'nextCursor2', param: 'cursor2' },
    payees: { path: '/payees?', name: 'nextCursor', param: 'cursor' },
    disbursements: { path: '/disbursements?', name: 'nextCursor', param: 'cursor' },
    events: { path: '/events?', name: 'nextCursor', param: 'cursor' },
  };
  let client: ApiClient;
  beforeAll(async () => {
    client = await newClient({ prepaid: true, webhookUrl: 'https://hooks.example' });
    for (let made = 0; made < 4; made += 1) {
      await deposit(client, 10_000);
      const { id } = await client.payablePayee();
      await client.payout(id);
      const row = { payeeId: id, amountCents: 100, currency: 'USD', externalRef: randomUUID() };
      await client.post('/disbursements', { items: [row] });
    }
  });

  test.each(Object.entries(LISTS))('goes on in the list of %s', async (_, { path, name, param }) => {
    const all = (await client.get(path)).body.data.map(({ id }: Json) => id);
    expect(all.length).toBeGreaterThanOrEqual(4);
    const first = (await client.get(`${path}limit=2`)).body;
    await passed(client, 3 * DAY);
    await deposit(client, 1);
    await client.payablePayee();
    const rest = (await client.get(`${path}${param}=${first[name]}`)).body.data.map(({ id }: Json) => id);
    expect([...first.data.map(({ id }: Json) => id), ...rest]).toEqual(all);
  });

  test('goes on in the list of what was paid in', async () => {
    const entries = async (query: string): Promise<Json> =>
      (await operator('GET', `/clients/${client.id}/wallet/entries?${query}`)).body;
    const all = (await entries('')).data.map(({ id }: Json) => id);
    const { nextCursor } = await entries('limit=2');
    await passed(client, 3 * DAY);
    await deposit(client, 1);
    expect((await entries(`cursor=${nextCursor}`)).data.map(({ id }: Json) => id)).toEqual(all.slice(2));
  });

  test('leaves the steps of a payout in their order', async () => {
    const { id } = (await client.get('/payouts?limit=1')).body.data[0];
    expect(stepsOf(await readPayout(client, id)).length).toBeGreaterThan(2);
  });
});
