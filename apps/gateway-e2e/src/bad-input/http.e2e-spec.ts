/** HTTP that is odd, ambiguous or slow: one reading or none, and an honest caller beside it notices nothing. */
import { type ApiClient, newClient, send, signedHeaders, underTest } from '../harness/api';
import { requestBytes, sendBytes, statusesOf } from '../harness/raw-socket';

describe('HTTP', () => {
  let client: ApiClient;
  beforeAll(async () => {
    client = await newClient();
  });

  const lines = (body = '', more: string[] = []): string[] => [
    'Host: gateway',
    'Connection: close',
    ...Object.entries(signedHeaders(client.key, client.secret, body)).map(([key, value]) => `${key}: ${value}`),
    ...more,
  ];

  test.each<[string, string[], string]>([
    ['CL and TE', ['Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
    ['two CL', ['Content-Length: 2', 'Content-Length: 3'], '{}'],
    ['an unknown TE', ['Transfer-Encoding: xchunked'], '{}'],
    ['a TE within chunked', ['Transfer-Encoding: gzip, chunked'], '2\r\n{}\r\n0\r\n\r\n'],
    ['a space before the colon', ['Content-Length : 2'], '{}'],
    ['a signed length', ['Content-Length: +2'], '{}'],
    ['an obsolete fold', ['X-A: a\r\n b'], ''],
    ['NUL in a header', ['X-A: a\0b'], ''],
  ])('%s is refused and the connection closed', async (_, headers, body) => {
    const answer = await sendBytes(requestBytes('POST', '/api/v1/payees', lines(body, headers), body));
    expect(statusesOf(answer)).toEqual([400]);
  });

  test('a second request hidden behind a short length is its own, unauthenticated request', async () => {
    const hidden = requestBytes('GET', '/api/v1/payees', ['Host: gateway', 'Connection: close']);
    const headers = lines('{}', ['Content-Length: 2', 'Content-Type: application/json']).filter(
      (line) => !line.startsWith('Connection'),
    );
    const answer = await sendBytes(requestBytes('POST', '/api/v1/payees', headers, `{}${hidden}`));
    expect(statusesOf(answer)).toEqual([400, 401]);
  });

  test('a fragment, which no client sends, is refused and not read as another path', async () => {
    const answer = await sendBytes(requestBytes('GET', '/api/v1/payouts#x', ['Host: a', 'Connection: close']));
    expect(statusesOf(answer)).toEqual([400]);
  });

  test('two hosts and absolute targets are refused; a forwarded host changes nothing', async () => {
    expect(
      statusesOf(await sendBytes(requestBytes('GET', '/health/live', ['Host: a', 'Host: b', 'Connection: close']))),
    ).toEqual([400]);
    expect(
      statusesOf(
        await sendBytes(requestBytes('GET', 'http://evil.test/health/live', ['Host: a', 'Connection: close'])),
      ),
    ).toEqual([400]);
    const answer = await client.raw('GET', '/payees', undefined, {
      'x-forwarded-host': 'evil.test',
      'x-http-method-override': 'DELETE',
    });
    expect(answer.status).toBe(200);
    expect(JSON.stringify([...answer.headers])).not.toContain('evil');
  });

  test.each(['TRACE', 'PUT', 'DELETE', 'PATCH'])('%s on a known path is 405 and echoes nothing', async (method) => {
    const answer = await sendBytes(
      requestBytes(method, '/api/v1/payouts', ['Host: gateway', 'Connection: close', 'X-Canary: canary-1']),
    );
    expect(statusesOf(answer)).toEqual([405]);
    expect(answer).toContain('method_not_allowed');
    expect(answer.toLowerCase()).toContain('allow: get, post');
    expect(answer).not.toContain('canary-1');
  });

  test.each([
    ['/payouts/batch', 'POST'],
    ['/disbursements/recovery-link', 'POST'],
    ['/disbursements/recovery-link?x=1', 'POST'],
  ])('GET %s, which is no id, is 405', async (path, allow) => {
    const answer = await client.get(path);
    expect([answer.status, answer.body.error]).toEqual([405, 'method_not_allowed']);
    expect(answer.headers.get('allow')).toBe(allow);
  });

  test.each([
    '/api/v1/payouts/..%2fpayees',
    '//api/v1/payees',
    '/api/v1/payees%00',
    '/api/v1/payees;x=1',
    '/api/v1/payees/',
    '/API/v1/payees',
    '/api/v1/Payees',
    '/api/v2/payees',
    '/%zz',
    '/.git/config',
    '/.env',
    '/main.js.map',
    '/debug',
  ])('%s is nothing', async (path) => {
    const answer = await sendBytes(requestBytes('GET', path, ['Host: gateway', 'Connection: close']));
    expect(statusesOf(answer)).toEqual([404]);
    expect(answer).toContain('"error":"not_found"');
  });

  test.each([
    ['/api/v1/payees/%00', 'payee_not_found'],
    ['/api/v1/payees/%ff/readiness', 'payee_not_found'],
    ['/api/v1/payees/%20018f2f5e-0000-7000-8000-000000000000', 'payee_not_found'],
    ['/api/v1/payouts/%zz', 'payout_not_found'],
    ['/api/v1/payouts/%00/nothing', 'not_found'],
    ['/api/v1/disbursements/%00', 'disbursement_not_found'],
    ['/api/v1/events/%00', 'event_not_found'],
  ])('what is no id in %s is missing: %s', async (path, code) => {
    const answer = await sendBytes(requestBytes('GET', path, ['Host: gateway', 'Connection: close']));
    expect(statusesOf(answer)).toEqual([404]);
    expect(answer).toContain(`"error":"${code}"`);
  });

  const FAR_BEHIND = '&'.repeat(1_000);
  test.each([
    ['limit=1&limit=100', ''],
    ['status[]=paid', ''],
    ['cursor[$gt]=', ''],
    ['nothing=1', ''],
    ['limit=1&nothing=1', FAR_BEHIND],
    ['limit=1&limit=100', FAR_BEHIND],
  ])('the query %s is refused', async (text, between) => {
    const query = text.replace('&', `&${between}`);
    const answer = await client.raw('GET', `/payouts?${query}`, undefined);
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
  });

  test('a withdrawal takes no parameter, however far behind it stands', async () => {
    const { id } = await client.payablePayee();
    const items = [{ payeeId: id, amountCents: 1_000, currency: 'USD', externalRef: `far behind ${id}` }];
    await client.post('/disbursements', { items });
    const answer = await client.post(`/payees/${id}/withdraw?${FAR_BEHIND}currency=EUR`);
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
    expect((await client.get(`/disbursements?payeeId=${id}`)).body.data[0].status).toBe('owed');
  });

  test('headers of 20 kB are refused, and thousands of them harm nothing', async () => {
    expect(
      statusesOf(await sendBytes(requestBytes('GET', '/health/live', ['Host: a', `X-A: ${'a'.repeat(20_000)}`]))),
    ).toEqual([431]);
    const many = Array.from({ length: 1_200 }, (_, index) => `x-${index}: 1`);
    const answer = await sendBytes(
      requestBytes('GET', '/api/v1/payees', ['Host: a', 'Connection: close', ...many, ...lines().slice(2)]),
    );
    expect([200, 401, 431]).toContain(statusesOf(answer)[0]);
  });

  test('10 MB are refused early, with and without an honest length', async () => {
    const honest = await sendBytes(
      requestBytes('POST', '/api/v1/payees', ['Host: a', 'Content-Length: 10485760'], 'x'),
    );
    expect(statusesOf(honest)).toEqual([413]);
    const chunk = `100000\r\n${'x'.repeat(1_048_576)}\r\n`;
    const chunked = await sendBytes(
      requestBytes('POST', '/api/v1/payees', lines('', ['Transfer-Encoding: chunked']), chunk + chunk),
    );
    expect(statusesOf(chunked)).toEqual([413]);
    expect(chunked).toContain('payload_too_large');
    const nobodys = ['Host: a', 'Transfer-Encoding: chunked'];
    expect(statusesOf(await sendBytes(requestBytes('POST', '/api/v1/payees', nobodys, chunk + chunk)))).toEqual([401]);
  });

  test('a body in chunks, with extensions and trailers, is the bytes it carries and no headers', async () => {
    const body = JSON.stringify({ externalId: 'chunked' });
    const size = body.length.toString(16);
    const bytes = `${size};a=b\r\n${body}\r\n0\r\nx-gw-signature: ${'0'.repeat(64)}\r\n\r\n`;
    const headers = lines(body, ['Transfer-Encoding: chunked', 'Content-Type: application/json']);
    expect(statusesOf(await sendBytes(requestBytes('POST', '/api/v1/payees', headers, bytes)))).toEqual([200]);
  });

  test('a GET with a body is refused', async () => {
    const headers = lines('{}', ['Content-Length: 2', 'Content-Type: application/json']);
    const answer = await sendBytes(requestBytes('GET', '/api/v1/payees', headers, '{}'));
    expect(statusesOf(answer)).toEqual([400]);
  });

  test.each<[string, Record<string, string | undefined>, number]>([
    ['text/plain', { 'content-type': 'text/plain' }, 415],
    ['no type', { 'content-type': '' }, 415],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['utf-16', { 'content-type': 'application/json; charset=utf-16' }, 415],
    ['utf-7', { 'content-type': 'application/json; charset=utf-7' }, 415],
    ['latin1', { 'content-type': 'application/json; charset=iso-8859-1' }, 415],
    ['gzip', { 'content-encoding': 'gzip' }, 415],
    ['identity', { 'content-encoding': 'identity' }, 415],
    ['utf-8 said twice over', { 'content-type': 'application/json; charset="UTF-8"' }, 200],
  ])('a body as %s', async (name, change, status) => {
    const answer = await client.raw('POST', '/payees', JSON.stringify({ externalId: `type ${name}` }), change);
    expect(answer.status).toBe(status);
    if (status === 415) expect(answer.body.error).toBe('unsupported_media_type');
  });

  test('pipelined requests are all answered, however many they are, and others are served meanwhile', async () => {
    const one = requestBytes('GET', '/health/live', ['Host: a']);
    const last = requestBytes('GET', '/health/live', ['Host: a', 'Connection: close']);
    const flood = sendBytes(one.repeat(1_999) + last);
    expect((await client.get('/payees')).status).toBe(200);
    expect(statusesOf(await flood)).toEqual(Array.from({ length: 2_000 }, () => 200));
  });

  test.each<[string, string, number]>([
    ['an expectation of which nobody has heard', requestBytes('POST', '/api/v1/payees', ['Host: a', 'Expect: x']), 400],
    ['another version', 'GET /health/live HTTP/2.0\r\nHost: a\r\nConnection: close\r\n\r\n', 400],
    ['no version', 'GET /health/live\r\n\r\n', 400],
    ['no Host', requestBytes('GET', '/health/live', []), 400],
    ['a head that is none', 'GET / HTTP/1.1\r\nHo st: a\r\n\r\n', 400],
    ['a path of 17 kB', requestBytes('GET', `/${'a'.repeat(17_000)}`, ['Host: a']), 431],
  ])('%s is answered with an error and an id', async (_, bytes, status) => {
    const answer = await sendBytes(bytes, { waitMs: 2_000 });
    expect(statusesOf(answer)).toEqual([status]);
    expect(answer).toMatch(/\r\nx-request-id: \S+\r\n/i);
    expect(answer).toContain('"error":"invalid_request"');
  });

  test('slow headers are cut off, and meanwhile others are served', async () => {
    const slow = sendBytes('GET /health/live HTTP/1.1\r\nHost: a\r\nX-Slow: ', { waitMs: 20_000 });
    expect((await client.get('/payees')).status).toBe(200);
    expect(statusesOf(await slow)).toEqual([408]);
  });

  test('no origin is given any rights', async () => {
    const { urls } = underTest();
    for (const origin of ['https://evil.test', 'null']) {
      const answer = await send(`${urls[0]}/api/v1/payees`, 'OPTIONS', {
        origin,
        'access-control-request-method': 'POST',
      });
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  test('answers carry the headers that browsers need to be careful', async () => {
    const { headers } = await client.get('/payees');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-powered-by')).toBeNull();
  });
});
