/** Strangers behind the same address as everybody else: whoever has a key or a token is served, whatever they send. */
import { randomUUID } from 'node:crypto';
import { newToken } from '#libs/domain';
import {
  type Answer,
  type ApiClient,
  eventually,
  newClient,
  operator,
  send,
  signedHeaders,
  underTest,
} from '../harness/api';
import type { GatewayProcess } from '../harness/gateway-process';
import { HeldSocket } from '../harness/held-socket';
import { requestBytes, statusesOf } from '../harness/raw-socket';
import { startTopology, stopTopology, type Topology } from '../harness/topology';

const LIMIT = 5;
const WRONG = 200;

describe('wrong keys', () => {
  let topology: Topology;
  let gateway: GatewayProcess;
  let client: ApiClient;
  let named: string;
  beforeAll(async () => {
    topology = await startTopology('embedded-1', { AUTH_FAILURES_PER_MINUTE: String(LIMIT) });
    gateway = topology.processes[0] as GatewayProcess;
    const { urls, operatorToken, databaseUrl } = topology;
    process.env.E2E_UNDER_TEST = JSON.stringify({ urls, operatorToken, databaseUrl });
    client = await newClient();
    named = (await operator('POST', '/operators', { name: 'grace', role: 'operator' })).body.token;
    // What the process has heard of before would be no test: it knows neither the key nor the token.
    await gateway.kill('SIGTERM');
    await gateway.restart();
  });
  afterAll(() => stopTopology(topology));

  const get = (path: string, token: string): Promise<Answer> =>
    send(`${underTest().urls[0]}${path}`, 'GET', { authorization: `Bearer ${token}` });
  const refused = (statuses: number[]): void => {
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(2 * LIMIT); // the minute may turn
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect(statuses.filter((status) => status !== 401 && status !== 429)).toEqual([]);
  };

  test('of pages are counted with them, and keep nobody out who has a link', async () => {
    const page = async (path: string): Promise<number> =>
      (await send(`${underTest().urls[0]}${path}`, 'GET', {})).status;
    const hooked = await newClient({ webhookUrl: 'https://app.example/hooks' });
    const { id } = await hooked.payee();
    const { body } = await hooked.post(`/payees/${id}/onboarding-link`, { returnUrl: 'https://app.example/' });
    const guesses = Array.from({ length: WRONG }, () => page(`/onboarding/${newToken('gw_op').slice(-43)}`));
    expect(await page(new URL(body.url).pathname)).toBe(200);
    const statuses = await Promise.all(guesses);
    expect(statuses.filter((status) => status === 404).length).toBeLessThanOrEqual(2 * LIMIT); // the minute may turn
    expect(new Set(statuses)).toEqual(new Set([404, 429]));
  });

  test('shut out no client and no operator, while they go on', async () => {
    const guess = async (): Promise<number> => {
      const [path, kind] =
        Math.random() < 0.5 ? ['/api/v1/payees', 'gw_test' as const] : ['/operator/v1/clients', 'gw_op' as const];
      return (await get(path, newToken(kind))).status;
    };
    refused(await Promise.all(Array.from({ length: WRONG }, guess)));
    const guessing = Array.from({ length: WRONG }, guess);
    expect((await client.get('/payees')).status).toBe(200);
    expect((await operator('GET', '/clients', undefined, named)).status).toBe(200);
    expect((await operator('GET', '/clients')).status).toBe(200);
    refused(await Promise.all(guessing));
  });

  test('are told when to go on', async () => {
    const answers = await Promise.all(Array.from({ length: WRONG }, () => get('/api/v1/payees', newToken('gw_test'))));
    const { headers } = answers.find(({ status }) => status === 429) as Answer;
    expect([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual([`${LIMIT}`, '0']);
    expect(headers.get('ratelimit-reset')).toMatch(/^([1-9]|[1-5]\d|60)$/);
    expect(headers.get('retry-after')).toBeNull();
  });

  test('with a key that is right, wrong signatures are counted, and right ones are served', async () => {
    const forged = (): Promise<Answer> => client.raw('GET', '/payees', undefined, { 'x-gw-signature': '0'.repeat(64) });
    refused(await Promise.all(Array.from({ length: WRONG }, async () => (await forged()).status)));
    expect((await client.get('/payees')).status).toBe(200);
  });
});

const MIB = 1_048_576;
const PAYEES = '/api/v1/payees';

/** What a scrape says of the process, or 0 if it says nothing. */
async function metric(name: string): Promise<number> {
  const { body } = await send(`${underTest().urls[0]}/metrics`, 'GET', { connection: 'close' });
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(String(body))?.[1] ?? 0);
}

const head = (path: string, headers: string[], bytes = MIB): string =>
  requestBytes('POST', path, ['Host: a', `Content-Length: ${bytes}`, ...headers]);

const begin = (topology: Topology): void => {
  const { urls, operatorToken, databaseUrl } = topology;
  process.env.E2E_UNDER_TEST = JSON.stringify({ urls, operatorToken, databaseUrl });
};

describe('bodies', () => {
  const ROOM_MIB = 16;
  let topology: Topology;
  let port: number;
  let client: ApiClient;
  let other: ApiClient;
  const open: HeldSocket[] = [];
  beforeAll(async () => {
    topology = await startTopology('embedded-1', {
      BODY_MEMORY_MIB: String(ROOM_MIB),
      AUTH_FAILURES_PER_MINUTE: '1000000',
    });
    port = (topology.processes[0] as GatewayProcess).port;
    begin(topology);
    [client, other] = [await newClient(), await newClient()];
  });
  afterEach(async () => {
    for (const { socket } of open.splice(0)) socket.destroy();
    await eventually(
      () => metric('gw_http_body_bytes'),
      (bytes) => bytes === 0,
    );
  });
  afterAll(() => stopTopology(topology));

  const hold = async (count: number, bytes: string): Promise<HeldSocket[]> => {
    const sockets = await Promise.all(Array.from({ length: count }, () => HeldSocket.open(port)));
    open.push(...sockets);
    for (const socket of sockets) socket.write(bytes);
    return sockets;
  };

  test.each([
    ['a key nobody has', PAYEES, () => newToken('gw_test'), 401],
    ['a token nobody has', '/operator/v1/clients', () => newToken('gw_op'), 401],
    ['a path nobody answers at', '/nowhere', () => newToken('gw_test'), 404],
    ['a path that takes no POST', '/health/ready', () => newToken('gw_test'), 405],
    ['a path that is nowhere served', '/nowhere/', () => newToken('gw_test'), 404],
    ['a target that is no path', 'http://gateway/api/v1/payees', () => newToken('gw_test'), 400],
  ])('for %s none is read: 400 of them take no memory', async (_, path, token, status) => {
    const sockets = await hold(400, head(path, [`Authorization: Bearer ${token()}`]));
    for (const socket of sockets) socket.write('{"a":"'); // and nothing more comes
    await Promise.all(sockets.map((socket) => socket.received(/\r\n\r\n\{/)));
    for (const { text } of sockets) {
      expect(statusesOf(text)).toEqual([status]);
      expect(text).toMatch(/\r\nconnection: close\r\n/i);
    }
    expect(await metric('gw_http_body_bytes')).toBe(0);
    await Promise.all(sockets.map(({ closed }) => closed));
  });

  test('the answer reaches a stranger who sends all of it first, and what comes after it is not looked at', async () => {
    const body = 'x'.repeat(MIB);
    const wrong = head(PAYEES, [`Authorization: Bearer ${newToken('gw_test')}`]) + body;
    const signed = signedHeaders(client.key, client.secret, '{"externalId":"after"}');
    const lines = Object.entries({ ...signed, 'content-type': 'application/json' }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const [socket] = (await hold(1, wrong + head(PAYEES, lines, 22) + '{"externalId":"after"}')) as [HeldSocket];
    await socket.closed;
    expect(statusesOf(socket.text)).toEqual([401]);
    expect((await client.get('/payees?externalId=after')).body.data).toEqual([]);
  });

  test('over 1 MiB by its own account is refused as that, whoever sends it', async () => {
    const [socket] = (await hold(1, head(PAYEES, [], MIB + 1))) as [HeldSocket];
    await socket.closed;
    expect(statusesOf(socket.text)).toEqual([413]);
  });

  test('that never end take a quarter of the room, whoever has the key; others and small ones are served', async () => {
    const sockets = await hold(40, head(PAYEES, [`Authorization: Bearer ${client.key}`]));
    const most = ROOM_MIB / 4;
    const turnedAway = (): HeldSocket[] => sockets.filter(({ text }) => text !== '');
    await eventually(
      () => Promise.resolve(turnedAway().length),
      (count) => count === 40 - most,
    );
    for (const { text } of turnedAway()) {
      expect(statusesOf(text)).toEqual([503]);
      expect(text).toMatch(/\r\nretry-after: 1\r\n/i);
    }
    expect(await metric('gw_http_body_bytes')).toBe(most * MIB);
    expect((await client.post('/payees', { externalId: randomUUID() })).status).toBe(200);
    const large = {
      externalId: randomUUID(),
      metadata: Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, 'v'.repeat(500)])),
    };
    expect((await other.post('/payees', large)).status).toBe(200);
    expect((await client.post('/payees', large)).body.error).toBe('service_unavailable');
  });

  test('of strangers at the open routes have a small room of their own, by what came, and notices get in', async () => {
    const NOTICES = '/rails/v1/mock/notices';
    await hold(20, head(NOTICES, [], MIB / 16)); // and nothing comes
    const sockets = await hold(40, head(NOTICES, [], MIB / 16) + 'x'.repeat(MIB / 16 - 1));
    await eventually(
      () => Promise.resolve(sockets.filter(({ text }) => text !== '').length),
      (count) => count >= 40 - 8,
    );
    expect((await client.post('/payees', { externalId: randomUUID() })).status).toBe(200);
    const notice = await fetch(`${underTest().urls[0]}${NOTICES}`, { method: 'POST', body: '{}' });
    expect(notice.status).not.toBe(503);
    const [larger] = (await hold(1, head(NOTICES, [], MIB / 16 + 1))) as [HeldSocket];
    await larger.closed;
    expect(statusesOf(larger.text)).toEqual([413]);
  });

  test('of one key that never end, in pieces, keep nobody else’s out', async () => {
    const chunked = ['Host: a', 'Transfer-Encoding: chunked', `Authorization: Bearer ${client.key}`];
    const bytes = `7530\r\n${'x'.repeat(30_000)}\r\n`;
    const sockets = await hold(400, requestBytes('POST', PAYEES, chunked) + bytes);
    const most = Math.floor((ROOM_MIB * MIB) / 4 / 30_000);
    await eventually(
      () => Promise.resolve(sockets.filter(({ text }) => text !== '').length),
      (count) => count >= 400 - most,
    );
    await eventually(
      () => metric('gw_http_body_bytes'),
      (taken) => taken <= (ROOM_MIB * MIB) / 4,
    );
    const large = { externalId: randomUUID(), metadata: { k: 'v'.repeat(400) }, name: ' '.repeat(20_000) };
    expect((await other.post('/payees', large)).status).toBe(400);
  });

  test('without a length take what they send, and are cut off past 1 MiB', async () => {
    const chunked = requestBytes('POST', PAYEES, [
      'Host: a',
      'Transfer-Encoding: chunked',
      `Authorization: Bearer ${client.key}`,
    ]);
    const piece = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const [socket] = (await hold(1, chunked + piece.repeat(4))) as [HeldSocket];
    await eventually(
      () => metric('gw_http_body_bytes'),
      (bytes) => bytes >= MIB / 4 && bytes <= MIB / 2,
    );
    socket.write(piece.repeat(13));
    await socket.closed;
    expect(statusesOf(socket.text)).toEqual([413]);
  });
});
