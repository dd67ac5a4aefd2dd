/** Every way to authenticate wrongly, with the code it must get; nothing is written, and nothing is our fault (5xx). */
import { createHmac, randomUUID } from 'node:crypto';
import { signRequest } from '#libs/sdk';
import { type Answer, type ApiClient, newClient, send, signedHeaders, underTest, unixNow } from '../harness/api';
import { requestBytes, sendBytes, statusesOf } from '../harness/raw-socket';

type Headers = Record<string, string | undefined>;

describe('authentication', () => {
  let client: ApiClient;
  let other: ApiClient;
  let body: string;
  const statuses: number[] = [];

  beforeAll(async () => {
    [client, other] = [await newClient(), await newClient()];
  });
  beforeEach(() => {
    body = JSON.stringify({ externalId: randomUUID() });
  });
  afterAll(() => expect(statuses.filter((status) => status >= 500)).toEqual([]));

  const post = async (change: Headers, text = body): Promise<Answer> => {
    const answer = await client.raw('POST', '/payees', text, change);
    statuses.push(answer.status);
    return answer;
  };
  const expectRefused = (answer: Answer, error: string): void =>
    expect([answer.status, answer.body.error]).toEqual([401, error]);

  test.each<[string, (key: string) => Headers]>([
    ['no Authorization', () => ({ authorization: undefined })],
    ['Basic', (key) => ({ authorization: `Basic ${key}` })],
    ['two spaces', (key) => ({ authorization: `Bearer  ${key}` })],
    ['a tab', (key) => ({ authorization: `Bearer\t${key}` })],
    ['an empty token', () => ({ authorization: 'Bearer ' })],
    ['a token of 10 kB', () => ({ authorization: `Bearer ${'a'.repeat(10_000)}` })],
    [
      'a key with a wrong checksum',
      (key) => ({ authorization: `Bearer ${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}` }),
    ],
    [
      'a well-formed key nobody has',
      () => ({ authorization: 'Bearer gw_test_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAbbbbbb' }),
    ],
    ['a key with more after it', (key) => ({ authorization: `Bearer ${key} x` })],
  ])('%s is no key', async (_, change) => expectRefused(await post(change(client.key)), 'invalid_api_key'));

  test('a key in the query is none', async () => {
    const { urls } = underTest();
    const answer = await send(`${urls[0]}/api/v1/payees?api_key=${client.key}`, 'GET', {});
    expectRefused(answer, 'invalid_api_key');
  });

  test('the scheme may be written in small letters', async () => {
    expect((await post({ authorization: `bearer ${client.key}` })).status).toBe(200);
  });

  test.each([
    '',
    'abc',
    '1.7e9',
    '+1700000000',
    '0123456789',
    '0x65531000',
    '١٧٠٠٠٠٠٠٠٠',
    'NaN',
    '-170000000',
    '17000000000',
  ])('the timestamp %p is none', async (timestamp) => {
    const encoded = Buffer.from(timestamp).toString('latin1');
    expectRefused(await post({ 'x-gw-timestamp': encoded }), 'stale_timestamp');
  });

  test('no timestamp, which is said with the time it should be', async () => {
    const answer = await post({ 'x-gw-timestamp': undefined });
    expectRefused(answer, 'stale_timestamp');
    expect(answer.body.message).toMatch(/^x-gw-timestamp is missing .*The server's time is \d{10}:/);
  });

  test.each([-302, 302, -100_000, 1_000_000])('a timestamp %i s away is stale', async (offset) => {
    expectRefused(await post(signedHeaders(client.key, client.secret, body, unixNow() + offset)), 'stale_timestamp');
  });

  test.each([-290, 298])('a timestamp %i s away is good', async (offset) => {
    expect((await post(signedHeaders(client.key, client.secret, body, unixNow() + offset))).status).toBe(200);
  });

  test.each<[string, (signature: string) => string | undefined]>([
    ['no signature', () => undefined],
    ['an empty one', () => ''],
    ['63 digits', (hex) => hex.slice(1)],
    ['65 digits', (hex) => `${hex}a`],
    ['trailing letters that are no hex', (hex) => `${hex}zz`],
    ['no hex at all', () => 'z'.repeat(64)],
    ['base64', (hex) => Buffer.from(hex, 'hex').toString('base64')],
    ['a prefix', (hex) => `sha256=${hex}`],
    ['one digit changed', (hex) => (hex.startsWith('0') ? `1${hex.slice(1)}` : `0${hex.slice(1)}`)],
  ])('%s is no signature', async (_, change) => {
    const headers = signedHeaders(client.key, client.secret, body);
    expectRefused(
      await post({ ...headers, 'x-gw-signature': change(headers['x-gw-signature'] as string) }),
      'invalid_signature',
    );
  });

  test('a signature by another secret, by the key, or over other bytes is none', async () => {
    const timestamp = unixNow();
    const by = (secret: string, text = body): Headers => ({
      'x-gw-timestamp': String(timestamp),
      'x-gw-signature': createHmac('sha256', secret).update(`${timestamp}.${text}`).digest('hex'),
    });
    for (const headers of [
      by(other.secret),
      by(client.key),
      by(client.secret, ` ${body}`),
      by(client.secret, ''),
      by(client.secret, '{}'),
    ])
      expectRefused(await post(headers), 'invalid_signature');
  });

  test('a body that is signed as {} and sent empty, and the reverse, is refused', async () => {
    const signedEmpty = signedHeaders(client.key, client.secret, '');
    const signedBraces = signedHeaders(client.key, client.secret, '{}');
    const id = (await client.payee()).id;
    const release = `/payouts/${id}/release`;
    expectRefused(await client.raw('POST', release, '{}', signedEmpty), 'invalid_signature');
    expectRefused(await client.raw('POST', release, undefined, signedBraces), 'invalid_signature');
  });

  test('upper-case hex is the same signature: good when fresh, used when used', async () => {
    const headers = signedHeaders(client.key, client.secret, body);
    const upper = { ...headers, 'x-gw-signature': headers['x-gw-signature']?.toUpperCase() };
    expect((await post(upper)).status).toBe(200);
    expectRefused(await post(headers), 'replayed_request');
    expectRefused(await post(upper), 'replayed_request');
  });

  test('a POST is accepted once; a GET may be repeated', async () => {
    const headers = signedHeaders(client.key, client.secret, body);
    expect((await post(headers)).status).toBe(200);
    expectRefused(await post(headers), 'replayed_request');
    const reading = signedHeaders(client.key, client.secret, '');
    expect((await client.raw('GET', '/payees', undefined, reading)).status).toBe(200);
    expect((await client.raw('GET', '/payees', undefined, reading)).status).toBe(200);
  });

  test('equal signatures on two paths are two requests, in upper case or with a query they are one', async () => {
    const payee = await client.payablePayee();
    const [a, b] = [
      (await client.payout(payee.id, { reason: 'mock:fail_once' })).body,
      (await client.payout(payee.id, { reason: 'mock:fail_once' })).body,
    ];
    const headers = signedHeaders(client.key, client.secret, '');
    const retry = (path: string): Promise<Answer> => client.raw('POST', path, undefined, headers);
    expect((await retry(`/payouts/${a.id}/retry`)).status).toBe(200);
    expect((await retry(`/payouts/${b.id}/retry`)).status).toBe(200);
    expectRefused(await retry(`/payouts/${a.id.toUpperCase()}/retry`), 'replayed_request');
    expectRefused(await retry(`/payouts/${a.id}/retry?again=1`), 'replayed_request');
    expect((await retry(`/payouts/%30${a.id.slice(1)}/retry`)).status).toBe(404);
  });

  /** Headers of one request, signed in both ways, and of version 1 alone. */
  const signedTwice = (method: string, target: string, text: string): { both: Headers; first: Headers } => {
    const credentials = { apiKey: client.key, signingSecret: client.secret };
    const second = signRequest(credentials, { method, target: `/api/v1${target}`, body: text });
    const first = signedHeaders(client.key, client.secret, text, Number(second['x-gw-timestamp']));
    return { both: { ...first, ...second }, first };
  };

  test('a request with both signatures uses up both, version 1 at any path', async () => {
    const { both, first } = signedTwice('POST', '/payees', body);
    expect((await post(both)).status).toBe(200);
    expectRefused(await post(first), 'replayed_request');
    expectRefused(await post({ ...both, 'x-gw-signature': undefined }), 'replayed_request');
    expectRefused(await client.raw('POST', '/payouts', body, first), 'replayed_request');
  });

  test('so does one without a body, and a GET; others that are signed in both ways in the same second are served', async () => {
    const payee = await client.payablePayee();
    const [a, b] = [
      (await client.payout(payee.id, { reason: 'mock:fail_once' })).body,
      (await client.payout(payee.id, { reason: 'mock:fail_once' })).body,
    ];
    const retry = (id: string, headers: Headers): Promise<Answer> =>
      client.raw('POST', `/payouts/${id}/retry`, undefined, headers);
    const reading = signedTwice('GET', '/payees', '');
    expect((await client.raw('GET', '/payees', undefined, reading.both)).status).toBe(200);
    expectRefused(await retry(a.id, reading.first), 'replayed_request');
    for (const { id } of [a, b]) {
      const { both } = signedTwice('POST', `/payouts/${id}/retry`, '');
      expect((await retry(id, { ...both })).status).toBe(200);
    }
  });

  test('a signature of version 2 covers method, path and query, and may be required', async () => {
    const strict = await newClient({ requireSignatureV2: true });
    const refused = await strict.raw('GET', '/payees', undefined);
    expectRefused(refused, 'invalid_signature');
    expect(refused.body.message).toBe('x-gw-signature-v2 is missing. x-gw-nonce is missing.');
    expect((await strict.get('/payees?limit=1')).status).toBe(200);
  });

  // Version 1 signs neither method nor path: what was captured from a GET opens a POST without a body. Version 2 does not.
  test('the signature of a GET opens no POST once version 2 is required', async () => {
    const [strict, lax] = [await newClient({ requireSignatureV2: true }), await newClient()];
    const capturedV1 = signedHeaders(lax.key, lax.secret, '');
    const path = `/payouts/${randomUUID()}/release`;
    expect((await lax.raw('POST', path, undefined, capturedV1)).body.error).toBe('payout_not_found');
    const target = '/api/v1/payouts';
    const capturedV2 = signRequest(
      { apiKey: strict.key, signingSecret: strict.secret },
      { method: 'GET', target, body: '' },
    );
    const { urls } = underTest();
    expect((await send(`${urls[0]}${target}`, 'GET', capturedV2)).status).toBe(200);
    const elsewhere = await send(`${urls[0]}/api/v1${path}`, 'POST', capturedV2);
    expectRefused(elsewhere, 'invalid_signature');
    expect(elsewhere.body.message).toContain('check the secret, and that method, path with query, and body');
  });

  test.each(['authorization', 'x-gw-timestamp', 'x-gw-signature'])('%s sent twice is refused', async (name) => {
    const headers = { ...signedHeaders(client.key, client.secret, '') } as Record<string, string>;
    const lines = [
      'Host: gateway',
      'Connection: close',
      ...Object.entries(headers).map(([key, value]) => `${key}: ${value}`),
    ];
    const answer = await sendBytes(requestBytes('GET', '/api/v1/payees', [...lines, `${name}: ${headers[name]}`]));
    expect(statusesOf(answer)).toEqual([401]);
  });

  test.each(['x-gw-signature', 'x-gw-signature-v2', 'x-gw-nonce'])(
    '%s sent twice beside the other version is refused, whichever is right',
    async (name) => {
      const target = '/api/v1/payees';
      const second = signRequest(
        { apiKey: client.key, signingSecret: client.secret },
        { method: 'GET', target, body: '' },
      );
      const first = signedHeaders(client.key, client.secret, '', Number(second['x-gw-timestamp']));
      const all: Record<string, string> = { ...first, ...second };
      const lines = Object.entries(all).map(([key, value]) => `${key}: ${value}`);
      const ask = async (...more: string[]): Promise<number[]> =>
        statusesOf(
          await sendBytes(requestBytes('GET', target, ['Host: gateway', 'Connection: close', ...lines, ...more])),
        );
      expect(await ask()).toEqual([200]);
      expect(await ask(`${name}: ${all[name]}`)).toEqual([401]);
      expect(await ask(`${name}: ${'0'.repeat(64)}`)).toEqual([401]);
    },
  );

  test('what is refused before the replay check leaves no mark', async () => {
    const headers = signedHeaders(client.key, client.secret, body);
    expectRefused(await post({ ...headers, 'x-gw-signature': '0'.repeat(64) }), 'invalid_signature');
    expect((await post(headers)).status).toBe(200);
  });

  test('a refused request says nothing of the client, and carries a request id', async () => {
    const answer = await post({ 'x-gw-signature': '0'.repeat(64), 'x-request-id': 'my-id.1' });
    expect(answer.headers.get('x-request-id')).toBe('my-id.1');
    expect(JSON.stringify(answer.body)).not.toContain(client.id);
    expect((await post({ 'x-request-id': 'bad id' })).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('a key that lacks the scope gets 403, and nothing happens', async () => {
    const reader = await newClient({ scopes: ['payouts:read', 'payees:read'] });
    const answers = await Promise.all([
      reader.post('/payees', { externalId: 'x' }),
      reader.post('/payouts', {}),
      reader.post(`/payouts/${randomUUID()}/retry`),
      reader.post(`/payouts/${randomUUID()}/release`),
      reader.post(`/payees/${randomUUID()}/methods`, {}),
      reader.post(`/test/payees/${randomUUID()}/onboarding`, {}),
    ]);
    for (const { status, body: refusal } of answers)
      expect([status, refusal.error]).toEqual([403, 'insufficient_scope']);
    expect((await reader.get('/payees')).body.data).toEqual([]);
  });
});
