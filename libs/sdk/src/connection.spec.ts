import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { AnsweringServer, hangUp, json, type Reply } from '../testing/answering-server';
import { wasNeverSent } from './connection';
import {
  Conflict,
  GatewayClient,
  InvalidRequest,
  NoAnswer,
  NotAllowed,
  NotAuthenticated,
  NotFound,
  PayoutGatewayError,
  RateLimited,
  ServiceTrouble,
} from './index';

const credentials = { apiKey: 'gw_test_key', signingSecret: 'whsec_c2VjcmV0' };
const payout = { payeeId: 'p1', amountCents: 2_500, currency: 'USD', idempotencyKey: 'k1' };
const unavailable = json(503, { error: 'service_unavailable' });
const unread = json(408, { error: 'invalid_request' });
const limited = json(429, { error: 'rate_limited' }, { 'ratelimit-reset': '0' });
const page: Reply = (response) => void response.writeHead(502, { 'content-type': 'text/html' }).end('<html>');

describe('a call', () => {
  let server: AnsweringServer;
  let client: GatewayClient;

  beforeAll(async () => {
    server = await AnsweringServer.start();
    client = new GatewayClient({ baseUrl: server.url, ...credentials, firstPauseMs: 1 });
  });
  afterAll(() => server.stop());
  beforeEach(() => server.begin());

  it('is repeated if that is safe, whatever went wrong, with a fresh signature and the same body', async () => {
    server.begin([hangUp, unavailable, unread, page, json(201, { id: 't1' })]);
    expect(await client.payouts.create(payout)).toEqual({ id: 't1' });
    expect(server.asked).toHaveLength(5);
    expect(new Set(server.asked.map(({ body }) => body)).size).toBe(1);
    expect(new Set(server.asked.map(({ headers }) => headers['x-gw-signature-v2'])).size).toBe(5);
    expect(new Set(server.asked.map(({ headers }) => headers['x-gw-nonce'])).size).toBe(5);
  });

  it.each([408, 429, 500, 502, 503, 504])('is repeated after %d', async (status) => {
    server.begin([json(status, { error: 'internal_error' }, { 'ratelimit-reset': '0' })]);
    expect(await client.payees.get('p1')).toEqual({ id: 'p1' });
    expect(server.asked).toHaveLength(2);
  });

  it('is given up after its tries, and says that it may have happened', async () => {
    server.begin(Array.from({ length: 9 }, () => unavailable));
    await expect(client.payouts.create(payout)).rejects.toMatchObject({
      ...{ status: 503, code: 'service_unavailable', mayHaveHappened: true },
    });
    expect(server.asked).toHaveLength(5);
    server.begin(Array.from({ length: 9 }, () => unavailable));
    await expect(client.payees.get('p1')).rejects.toMatchObject({ status: 503, mayHaveHappened: false });
  });

  it('takes an option that is undefined for one that was left out, and does not ask for ever', async () => {
    server.begin(Array.from({ length: 9 }, () => unavailable));
    const options = { baseUrl: server.url, ...credentials, firstPauseMs: 1, tries: undefined, timeoutMs: undefined };
    await expect(new GatewayClient(options).payees.get('p1')).rejects.toBeInstanceOf(ServiceTrouble);
    expect(server.asked).toHaveLength(5);
  });

  const lost: [string, Reply][] = [
    ['says that its key is revoked', json(401, { error: 'invalid_api_key' })],
    ['wants to be left alone for long', json(429, { error: 'rate_limited' }, { 'ratelimit-reset': '3600' })],
  ];

  it.each(lost)('may have happened if its first answer was lost, whatever the last one says: %s', async (_, last) => {
    server.begin([hangUp, last]);
    await expect(client.payouts.create(payout)).rejects.toMatchObject({ mayHaveHappened: true });
    expect(server.asked).toHaveLength(2);
    server.begin([last]);
    await expect(client.payouts.create(payout)).rejects.toMatchObject({ mayHaveHappened: false });
  });

  it('may have happened if its first answer was lost, and nobody listens any more', async () => {
    const ending = await AnsweringServer.start();
    const there = new GatewayClient({ baseUrl: ending.url, ...credentials, firstPauseMs: 1, tries: 3 });
    ending.begin([() => void ending.stop()]);
    const failure = await there.payouts.create(payout).catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ name: 'NoAnswer', mayHaveHappened: true });
    expect(wasNeverSent((failure as NoAnswer).cause)).toBe(true);
  });

  it('that something in between sent twice is asked again if it is keyed, and else may have happened', async () => {
    const copy = json(401, { error: 'replayed_request' });
    server.begin([copy, json(201, { id: 't1' })]);
    expect(await client.payouts.create(payout)).toEqual({ id: 't1' });
    server.begin([copy]);
    await expect(client.payees.withdraw('p1')).rejects.toMatchObject({
      code: 'replayed_request',
      mayHaveHappened: true,
    });
    expect(server.asked).toHaveLength(1);
  });

  it('may have happened behind a page with a status that the gateway says of what it did not begin', async () => {
    server.begin([(response) => void response.writeHead(429, { 'content-type': 'text/html' }).end('<html>')]);
    await expect(client.payees.withdraw('p1')).rejects.toMatchObject({ mayHaveHappened: true });
  });

  const cautious: [string, () => Promise<unknown>][] = [
    ['withdraw', () => client.payees.withdraw('p1')],
    ['retry', () => client.payouts.retry('t1')],
    ['release', () => client.payouts.release('t1')],
    ['a call of no known route', () => client.request('POST', '/anything', {})],
  ];

  it.each(cautious)('of %s is not repeated once it may have happened', async (_, call) => {
    server.begin([hangUp]);
    await expect(call()).rejects.toMatchObject({ name: 'NoAnswer', mayHaveHappened: true });
    server.begin([unavailable]);
    await expect(call()).rejects.toMatchObject({ status: 503, mayHaveHappened: true });
    server.begin([page]);
    await expect(call()).rejects.toMatchObject({ code: 'unreadable_answer', mayHaveHappened: true });
    expect(server.asked).toHaveLength(1);
  });

  it.each(cautious)('of %s is repeated if it certainly did not happen', async (_, call) => {
    server.begin([limited, unread]);
    await call();
    expect(server.asked).toHaveLength(3);
  });

  it('that nobody heard was not done, and is repeated until somebody listens', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    await once(probe, 'close');
    const early = new GatewayClient({ baseUrl: `http://127.0.0.1:${port}`, ...credentials, firstPauseMs: 1, tries: 2 });
    const failure = await early.payees.withdraw('p1').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(NoAnswer);
    expect(failure).toMatchObject({
      mayHaveHappened: false,
      message: expect.stringContaining('ECONNREFUSED') as string,
    });
  });

  it.each([
    ['connect', true],
    ['getaddrinfo', true],
    ['read', false],
    ['write', false],
  ])('that ends as EHOSTUNREACH in %s was never sent: %s', (syscall, never) => {
    const system = Object.assign(new Error('no way there'), { code: 'EHOSTUNREACH', syscall });
    expect(wasNeverSent(new TypeError('fetch failed', { cause: system }))).toBe(never);
  });

  it('that takes too long is cut', async () => {
    server.begin([() => undefined]);
    const hasty = new GatewayClient({ baseUrl: server.url, ...credentials, timeoutMs: 50, tries: 1 });
    await expect(hasty.payouts.create(payout)).rejects.toMatchObject({ name: 'NoAnswer', mayHaveHappened: true });
  });

  it('is not repeated where the gateway wants to be left alone for longer than one waits', async () => {
    server.begin([json(503, { error: 'service_unavailable' }, { 'retry-after': '3600' })]);
    await expect(client.payees.get('p1')).rejects.toBeInstanceOf(ServiceTrouble);
    server.begin([json(429, { error: 'rate_limited' }, { 'ratelimit-reset': '3600' })]);
    await expect(client.payouts.create(payout)).rejects.toBeInstanceOf(RateLimited);
    expect(server.asked).toHaveLength(1);
  });

  it('that is refused is refused at once, as it is', async () => {
    const details = { fields: [{ path: 'amountCents', message: 'must be at least 1' }] };
    server.begin([json(400, { error: 'invalid_request', message: 'Not valid.', details })]);
    const refusal = await client.payouts.create(payout).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(InvalidRequest);
    expect(refusal).toMatchObject({
      ...{ status: 400, code: 'invalid_request', message: 'invalid_request: Not valid.', details, requestId: 'r-1' },
      mayHaveHappened: false,
    });
    expect(server.asked).toHaveLength(1);
  });

  it.each([
    [401, NotAuthenticated],
    [403, NotAllowed],
    [404, NotFound],
    [409, Conflict],
    [413, InvalidRequest],
    [415, InvalidRequest],
    [422, Conflict],
  ])('answered %d throws an error of its own kind', async (status, Class) => {
    server.begin([json(status, { error: 'not_found' })]);
    const refusal = await client.payees.get('p1').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Class);
    expect(refusal).toBeInstanceOf(PayoutGatewayError);
    expect(server.asked).toHaveLength(1);
  });

  it('does not take a page of some proxy for an answer, nor follow a redirect', async () => {
    server.begin([
      (response) => void response.writeHead(200).end('<html>'),
      (response) => void response.writeHead(302, { location: '/' }).end(),
    ]);
    await expect(client.payees.get('p1')).rejects.toMatchObject({ code: 'unreadable_answer' });
    await expect(client.payees.get('p1')).rejects.toMatchObject({ code: 'unreadable_answer', status: 302 });
    expect(server.asked).toHaveLength(2);
  });
});

describe('a client that is set up wrongly', () => {
  it('says so before it asks anybody', () => {
    const made = (change: object) => () =>
      new GatewayClient({ baseUrl: 'http://localhost', ...credentials, ...change });
    for (const baseUrl of ['', undefined, '/payouts', 'payouts.example.com', 'localhost:3000', 'ftp://example.com'])
      expect(made({ baseUrl })).toThrow('baseUrl must be like https://payouts.example.com, and is ');
    for (const baseUrl of ['http://localhost/api/v1', 'http://localhost/api/v1/'])
      expect(made({ baseUrl })).toThrow('Leave /api/v1 out of baseUrl');
    expect(made({ apiKey: '' })).toThrow('apiKey is missing or empty');
    expect(made({ signingSecret: undefined })).toThrow('signingSecret is missing or empty');
  });
});
