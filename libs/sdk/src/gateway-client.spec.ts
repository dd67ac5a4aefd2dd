import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sameBytes, signV2 } from '#libs/domain';
import { AnsweringServer, type Asked, json } from '../testing/answering-server';
import { GatewayClient } from './gateway-client';
import * as sdk from './index';
import { REPEATS } from './repeats';

const ROOT = join(__dirname, '../../..');
const reference = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, unknown>>;
};
const CALLERS = Object.entries(reference.paths)
  .filter(([path]) => path.startsWith('/api/v1/'))
  .flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.slice('/api/v1'.length)}`),
  );

const payout = { payeeId: 'p1', amountCents: 2_500, currency: 'USD', idempotencyKey: 'k1' };
const row = { email: 'a@example.com', amountCents: 5, currency: 'USD', externalRef: 'r1' };
const secret = 'whsec_c2VjcmV0';

describe('GatewayClient', () => {
  let server: AnsweringServer;
  let client: GatewayClient;

  beforeAll(async () => {
    server = await AnsweringServer.start();
    client = new GatewayClient({ baseUrl: `${server.url}/`, apiKey: 'gw_test_key', signingSecret: secret });
  });
  afterAll(() => server.stop());
  beforeEach(() => server.begin());

  const isSigned = ({ method, target, headers, body }: Asked): boolean => {
    const signature = Buffer.from(String(headers['x-gw-signature-v2']), 'hex');
    const [timestamp, nonce] = [String(headers['x-gw-timestamp']), String(headers['x-gw-nonce'])];
    return sameBytes(signature, signV2(secret, { timestamp, nonce, method, target, body: Buffer.from(body) }));
  };
  const targets = (): string[] => server.asked.map(({ method, target }) => `${method} ${target}`);
  const everyCall: [() => Promise<unknown>, string, string?][] = [
    [() => client.payees.upsert({ externalId: 'c1' }), 'POST /payees', '{"externalId":"c1"}'],
    [() => client.payees.page({ payable: true, limit: 10, cursor: undefined }), 'GET /payees?limit=10&payable=true'],
    [() => client.payees.get('p1'), 'GET /payees/p1'],
    [() => client.payees.readiness('../p1'), 'GET /payees/..%2Fp1/readiness'],
    [() => client.payees.balance('p1'), 'GET /payees/p1/balance'],
    [() => client.payees.balance('p1', 'EUR'), 'GET /payees/p1/balance?currency=EUR'],
    [
      () => client.payees.adoptMethod('p1', { provider: 'custodial_a', providerAccountId: 'a' }),
      'POST /payees/p1/methods',
      '{"provider":"custodial_a","providerAccountId":"a"}',
    ],
    [
      () => client.payees.onboardingLink('p1', { returnUrl: 'https://app.example/' }),
      'POST /payees/p1/onboarding-link',
      '{"returnUrl":"https://app.example/"}',
    ],
    [() => client.payees.portalLink('p1'), 'POST /payees/p1/portal-link', ''],
    [() => client.payees.withdraw('p1'), 'POST /payees/p1/withdraw', ''],
    [() => client.payouts.create(payout), 'POST /payouts', JSON.stringify(payout)],
    [
      () =>
        client.payouts.batch({ idempotencyKey: 'b', items: [{ amountCents: 1, currency: 'USD', email: 'a@b.de' }] }),
      'POST /payouts/batch',
      '{"idempotencyKey":"b","items":[{"amountCents":1,"currency":"USD","email":"a@b.de"}]}',
    ],
    [() => client.payouts.page({ status: 'held' }), 'GET /payouts?status=held'],
    [() => client.payouts.get('t1'), 'GET /payouts/t1'],
    [() => client.payouts.retry('t1'), 'POST /payouts/t1/retry', ''],
    [() => client.payouts.release('t1'), 'POST /payouts/t1/release', ''],
    [() => client.payouts.cancel('t1'), 'POST /payouts/t1/cancel', ''],
    [
      () => client.disbursements.push([row], { sendEmail: true }),
      'POST /disbursements',
      JSON.stringify({ items: [row], sendEmail: true }),
    ],
    [() => client.disbursements.page({ status: 'owed' }), 'GET /disbursements?status=owed'],
    [() => client.disbursements.get('d1'), 'GET /disbursements/d1'],
    [
      () => client.disbursements.linkRecovery({ replacementTransactionId: 't1', disbursementIds: ['d1'] }),
      'POST /disbursements/recovery-link',
      '{"replacementTransactionId":"t1","disbursementIds":["d1"]}',
    ],
    [() => client.events.page({ type: 'payout.status' }), 'GET /events?type=payout.status'],
    [() => client.events.get('e1'), 'GET /events/e1'],
    [() => client.events.replay('e1'), 'POST /events/e1/replay', ''],
    [() => client.wallet.read(), 'GET /wallet'],
    [() => client.webhook.read(), 'GET /webhook'],
    [() => client.webhook.set({ url: null }), 'PUT /webhook', '{"url":null}'],
    [() => client.webhook.test(), 'POST /webhook-test', ''],
    [() => client.keys.list(), 'GET /keys'],
    [() => client.keys.rotate({ overlapSeconds: 60 }), 'POST /keys', '{"overlapSeconds":60}'],
    [() => client.keys.revoke('k1'), 'DELETE /keys/k1', ''],
    [
      () => client.test.finishOnboarding('p1', { outcome: 'verified' }),
      'POST /test/payees/p1/onboarding',
      '{"outcome":"verified"}',
    ],
    [() => client.test.claim('t1'), 'POST /test/payouts/t1/claim', '{}'],
    [() => client.test.settle('t1'), 'POST /test/payouts/t1/settle', ''],
    [() => client.test.fail('t1', { kind: 'transient' }), 'POST /test/payouts/t1/fail', '{"kind":"transient"}'],
    [() => client.test.return('t1'), 'POST /test/payouts/t1/return', '{}'],
    [() => client.test.advanceClock({ advanceSeconds: 60 }), 'POST /test/clock', '{"advanceSeconds":60}'],
  ];

  it.each(everyCall.map(([call, asked, body]) => [asked, body ?? '', call] as const))(
    '%s',
    async (asked, body, call) => {
      await call();
      expect(targets()).toEqual([asked.replace(' /', ' /api/v1/')]);
      expect(server.asked.map((each) => [each.body, each.headers.authorization])).toEqual([
        [body, 'Bearer gw_test_key'],
      ]);
      expect(server.asked.every(isSigned)).toBe(true);
    },
  );

  it('has every route of the reference that is for callers, and has decided of each whether it is repeated', () => {
    const named = (asked: string): string =>
      asked.replace(/\?.*$/, '').replace(/\/(?:[ptdek]1|\.\.%2Fp1)(?=\/|$)/, '/{id}');
    expect([...new Set(everyCall.map(([, asked]) => named(asked)))].sort()).toEqual([...CALLERS].sort());
    expect(Object.keys(REPEATS).sort()).toEqual([...CALLERS].sort());
  });

  it('offers every type of the reference by its name', () => {
    const types = readFileSync(join(__dirname, 'api-types.ts'), 'utf8').matchAll(/^export (?:interface|type) (\w+)/gm);
    const index = readFileSync(join(__dirname, 'index.ts'), 'utf8');
    expect([...types].map(([, name]) => name).filter((name) => !index.includes(`  ${name},\n`))).toEqual([]);
    expect(Object.keys(sdk)).toContain('GatewayClient');
  });

  it('refuses what would ask for something else than one thing', async () => {
    for (const id of ['', '.', '..', undefined as unknown as string])
      await expect(client.payees.get(id)).rejects.toThrow('This is no id');
    expect(server.asked).toEqual([]);
  });

  it('tells a new payout from a repeated one by the status', async () => {
    server.begin([json(201, { id: 't1' }), json(200, { id: 't1' })]);
    expect(await client.request('POST', '/payouts', payout)).toEqual({ status: 201, body: { id: 't1' } });
    expect(await client.request('POST', '/payouts', payout)).toEqual({ status: 200, body: { id: 't1' } });
  });

  it('walks through a list, page by page, and asks for no page that nobody reads', async () => {
    const page = (ids: string[], nextCursor: string | null) =>
      json(200, { data: ids.map((id) => ({ id })), nextCursor });
    server.begin([page(['a', 'b'], 'next'), page(['c'], null)]);
    const found: string[] = [];
    for await (const { id } of client.payees.list({ email: 'a@b.de', limit: 2 })) found.push(id);
    expect(found).toEqual(['a', 'b', 'c']);
    expect(targets()).toEqual([
      'GET /api/v1/payees?email=a%40b.de&limit=2',
      'GET /api/v1/payees?email=a%40b.de&limit=2&cursor=next',
    ]);
    server.begin([page(['a', 'b'], 'next')]);
    for await (const { id } of client.events.list()) if (id === 'b') break;
    expect(server.asked).toHaveLength(1);
  });

  it('walks through payouts by the cursor that skips none', async () => {
    const page = (id: string, next: string | null) =>
      json(200, { data: [{ id }], nextCursor: '2026-01-05T12:00:00.000Z', nextCursor2: next });
    server.begin([page('a', 'second'), page('b', null)]);
    const found: string[] = [];
    for await (const { id } of client.payouts.list({ status: 'paid' })) found.push(id);
    expect(found).toEqual(['a', 'b']);
    expect(targets().at(-1)).toBe('GET /api/v1/payouts?status=paid&cursor2=second');
  });
});
