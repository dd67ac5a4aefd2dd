import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sameBytes, signV2 } from '#libs/domain';
import { GatewayClient } from './gateway-client';
import { GatewayError } from './gateway-error';

interface Asked {
  method: string;
  target: string;
  headers: IncomingHttpHeaders;
  body: string;
}

type Reply = (response: ServerResponse) => void;

const json =
  (status: number, body: unknown): Reply =>
  (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r-1' })
      .end(JSON.stringify(body));
const hangUp: Reply = (response) => void response.socket?.destroy();

describe('GatewayClient', () => {
  const asked: Asked[] = [];
  let replies: Reply[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      asked.push({ method, target: url, headers, body: Buffer.concat(chunks).toString() });
      (replies.shift() ?? json(200, { id: 'p1' }))(response);
    });
  });
  let client: GatewayClient;

  beforeAll(() => new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready)));
  afterAll(() => server.close());
  beforeEach(() => {
    asked.length = 0;
    replies = [];
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    client = new GatewayClient({ baseUrl, apiKey: 'gw_test_key', signingSecret: 'whsec_c2VjcmV0', firstPauseMs: 1 });
  });

  const payout = { payeeId: 'p1', amountCents: 2_500, currency: 'USD', idempotencyKey: 'k1' };
  const isSigned = ({ method, target, headers, body }: Asked): boolean => {
    const signature = Buffer.from(String(headers['x-gw-signature-v2']), 'hex');
    const [timestamp, nonce] = [String(headers['x-gw-timestamp']), String(headers['x-gw-nonce'])];
    return sameBytes(
      signature,
      signV2('whsec_c2VjcmV0', { timestamp, nonce, method, target, body: Buffer.from(body) }),
    );
  };

  it('asks for what its methods say, signed', async () => {
    await client.payees.upsert({ externalId: 'creator-1', name: 'Ada' });
    await client.payees.list({ payable: true, limit: 10, cursor: undefined });
    await client.payees.get('p1');
    await client.payees.readiness('../p1');
    await client.payouts.create(payout);
    await client.payouts.list({ status: 'held' });
    await client.payouts.get('t1');
    await client.payouts.retry('t1');
    await client.payouts.release('t1');
    await client.payouts.cancel('t1');
    await client.payees.onboardingLink('p1', { returnUrl: 'https://app.example/' });
    await client.payees.portalLink('p1');
    await client.payees.balance('p1');
    await client.payees.balance('p1', 'EUR');
    await client.payees.withdraw('p1');
    await client.disbursements.push([{ email: 'a@example.com', amountCents: 5, currency: 'USD', externalRef: 'r1' }]);
    await client.disbursements.list({ status: 'owed' });
    await client.disbursements.get('d1');
    await client.disbursements.linkRecovery('t1', ['d1']);
    expect(asked.map(({ method, target }) => `${method} ${target}`)).toEqual([
      'POST /api/v1/payees',
      'GET /api/v1/payees?payable=true&limit=10',
      'GET /api/v1/payees/p1',
      'GET /api/v1/payees/..%2Fp1/readiness',
      'POST /api/v1/payouts',
      'GET /api/v1/payouts?status=held',
      'GET /api/v1/payouts/t1',
      'POST /api/v1/payouts/t1/retry',
      'POST /api/v1/payouts/t1/release',
      'POST /api/v1/payouts/t1/cancel',
      'POST /api/v1/payees/p1/onboarding-link',
      'POST /api/v1/payees/p1/portal-link',
      'GET /api/v1/payees/p1/balance',
      'GET /api/v1/payees/p1/balance?currency=EUR',
      'POST /api/v1/payees/p1/withdraw',
      'POST /api/v1/disbursements',
      'GET /api/v1/disbursements?status=owed',
      'GET /api/v1/disbursements/d1',
      'POST /api/v1/disbursements/recovery-link',
    ]);
    expect(asked.every(isSigned)).toBe(true);
    expect(asked[0]).toMatchObject({
      body: '{"externalId":"creator-1","name":"Ada"}',
      headers: { authorization: 'Bearer gw_test_key' },
    });
    expect(asked[7]).toMatchObject({ body: '', headers: { 'content-length': '0' } });
  });

  it('tells a new payout from a repeated one by the status', async () => {
    replies = [json(201, { id: 't1' }), json(200, { id: 't1' })];
    expect(await client.request('POST', '/payouts', payout)).toEqual({ status: 201, body: { id: 't1' } });
    expect(await client.request('POST', '/payouts', payout)).toEqual({ status: 200, body: { id: 't1' } });
  });

  it('repeats what is safe to repeat, with a fresh signature and the same body', async () => {
    const notRead = json(408, { error: 'invalid_request' });
    replies = [hangUp, json(503, { error: 'service_unavailable' }), notRead, json(201, { id: 't1' })];
    expect(await client.payouts.create(payout)).toEqual({ id: 't1' });
    expect(asked).toHaveLength(4);
    expect(new Set(asked.map(({ body }) => body)).size).toBe(1);
    expect(new Set(asked.map(({ headers }) => headers['x-gw-signature-v2'])).size).toBe(4);
  });

  it('gives up after its tries', async () => {
    replies = Array.from({ length: 9 }, () => json(503, { error: 'service_unavailable' }));
    await expect(client.payees.get('p1')).rejects.toMatchObject({ status: 503, code: 'service_unavailable' });
    expect(asked).toHaveLength(4);
  });

  it('takes an option that is undefined for one that was left out, and does not ask for ever', async () => {
    replies = Array.from({ length: 9 }, () => json(503, { error: 'service_unavailable' }));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const options = { baseUrl, apiKey: 'gw_test_key', signingSecret: 'whsec_c2VjcmV0', firstPauseMs: 1 };
    const hasty = new GatewayClient({ ...options, tries: undefined, timeoutMs: undefined });
    await expect(hasty.payees.get('p1')).rejects.toMatchObject({ status: 503 });
    expect(asked).toHaveLength(4);
  });

  it('asks once for what may not happen twice', async () => {
    replies = [hangUp];
    await expect(client.payouts.retry('t1')).rejects.toThrow();
    replies = [json(503, { error: 'service_unavailable' })];
    await expect(client.request('POST', '/anything', {})).rejects.toBeInstanceOf(GatewayError);
    expect(asked).toHaveLength(2);
  });

  it('throws refusals as they are, at once', async () => {
    const details = { fields: [{ path: 'amountCents', message: 'must be at least 1' }] };
    replies = [json(400, { error: 'invalid_request', message: 'Not valid.', details })];
    await expect(client.payouts.create(payout)).rejects.toMatchObject({
      status: 400,
      code: 'invalid_request',
      message: 'invalid_request: Not valid.',
      details,
      requestId: 'r-1',
    });
    expect(asked).toHaveLength(1);
  });

  it('does not take a page of some proxy for an answer, nor follow a redirect', async () => {
    replies = [
      (response) => void response.writeHead(200).end('<html>'),
      (response) => void response.writeHead(302, { location: '/' }).end(),
    ];
    await expect(client.payees.get('p1')).rejects.toMatchObject({ code: 'unreadable_answer' });
    await expect(client.payees.get('p1')).rejects.toMatchObject({ code: 'unreadable_answer', status: 302 });
    expect(asked).toHaveLength(2);
  });
});
