import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTlsServer } from 'node:tls';
import { SELF_SIGNED } from '../testing/certificate';
import { hastyLimits } from '../testing/hasty-limits';
import { flood, MISBEHAVIOUR } from '../testing/misbehaviour';
import { type Behaviour, Receiver } from '../testing/receiver';
import { deliveryLimits } from './delivery';
import { Egress } from './egress';
import { systemLookUp } from './look-up';

const delivery = (url: string) => ({
  url,
  host: new URL(url).host,
  headers: { 'content-type': 'application/json' },
  body: '{"a": 1}',
});

describe('Egress', () => {
  const receiver = new Receiver();
  let egress: Egress;

  beforeAll(() => receiver.start());
  afterAll(() => receiver.stop());
  beforeEach(() => {
    receiver.reset();
    egress = new Egress({ production: false }, systemLookUp, hastyLimits);
  });
  afterEach(() => egress.onApplicationShutdown());

  it.each([200, 201, 202, 204, 299])('takes %d as delivered', async (statusCode) => {
    receiver.behave((response) => void response.writeHead(statusCode).end());
    expect(await egress.post(delivery(receiver.url))).toEqual({ kind: 'delivered', statusCode, excerpt: null });
    expect(receiver.received[0]).toMatchObject({ body: '{"a": 1}', headers: { 'content-type': 'application/json' } });
  });

  it.each([301, 302, 307, 308])('does not follow a %d', async (statusCode) => {
    receiver.behave((response) => void response.writeHead(statusCode, { location: `${receiver.url}/elsewhere` }).end());
    expect(await egress.post(delivery(receiver.url))).toMatchObject({ kind: 'failed', statusCode });
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hooks']);
  });

  it.each([400, 404, 410, 429, 500, 503])('takes %d as failed', async (statusCode) => {
    receiver.behave((response) => void response.writeHead(statusCode).end('{"secret": "stack"}'));
    const outcome = await egress.post(delivery(receiver.url));
    expect(outcome).toEqual({
      ...{ kind: 'failed', statusCode, reason: 'not_2xx', error: `answered ${statusCode}` },
      excerpt: '{"secret": "stack"}',
    });
  });

  it('gives up on an answer that does not come', async () => {
    receiver.behave(() => undefined);
    const late = { kind: 'failed', statusCode: null, reason: 'timeout', error: 'no answer within 1 s' };
    expect(await egress.post(delivery(receiver.url))).toMatchObject(late);
  });

  it('gives up on a host that accepts the connection and never speaks TLS', async () => {
    const outcome = await egress.post(delivery(receiver.url.replace('http:', 'https:')));
    expect(outcome).toMatchObject({ kind: 'failed', statusCode: null });
  });

  it('cuts an endless answer, and one that drips', async () => {
    let sent = 0;
    receiver.behave((response) => {
      response.on('close', () => (sent = response.socket?.bytesWritten ?? sent));
      flood(response, 200, (bytes) => (sent = bytes));
    });
    const patient = new Egress({ production: false }, systemLookUp, { ...deliveryLimits, deadlineMs: 600_000 });
    expect(await patient.post(delivery(receiver.url))).toMatchObject({ kind: 'delivered', statusCode: 200 });
    await patient.onApplicationShutdown();
    expect(sent).toBeLessThan(50_000_000);

    receiver.behave((response) => void response.writeHead(500).write('x'));
    expect(await egress.post(delivery(receiver.url))).toMatchObject({ kind: 'failed', statusCode: 500 });
  });

  it('takes an answer that some others go before, and none that never comes for them', async () => {
    receiver.behave((response) => {
      response.writeProcessing();
      response.writeEarlyHints({ link: '</a>; rel=preload' }, () => response.writeHead(204).end());
    });
    expect(await egress.post(delivery(receiver.url))).toMatchObject({ kind: 'delivered', statusCode: 204 });

    const patient = new Egress({ production: false }, systemLookUp, { ...deliveryLimits, deadlineMs: 600_000 });
    receiver.behave((MISBEHAVIOUR['says for ever that an answer is to come'] as { behave: Behaviour }).behave);
    expect(await patient.post(delivery(receiver.url))).toMatchObject({ kind: 'failed', reason: 'bad_answer' });
    await patient.onApplicationShutdown();
  });

  it.each([
    ['a body in thousands of tiny pieces', '1\r\na\r\n'.repeat(20_000) + '0\r\n\r\n'],
    ['thousands of trailers', `2\r\nok\r\n0\r\n${'a:b\r\n'.repeat(4_000)}\r\n`],
  ])('keeps no connection over which %s came', async (_, body) => {
    const ports = new Set<number | undefined>();
    receiver.behave(({ socket }) => {
      ports.add(socket?.remotePort);
      socket?.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${body}`);
    });
    for (let nth = 0; nth < 3; nth += 1)
      expect(await egress.post(delivery(receiver.url))).toMatchObject({ kind: 'delivered', statusCode: 200 });
    expect(ports.size).toBe(3);
  });

  it('survives a connection that is cut, refused, or answers garbage', async () => {
    receiver.behave((response) => void response.socket?.destroy());
    expect(await egress.post(delivery(receiver.url))).toMatchObject({ kind: 'failed', statusCode: null });
    receiver.behave((response) => void response.socket?.end('no HTTP at all\r\n\r\n'));
    expect(await egress.post(delivery(receiver.url))).toMatchObject({ kind: 'failed', statusCode: null });
    expect(await egress.post(delivery('http://127.0.0.1:1/hooks'))).toMatchObject({
      kind: 'failed',
      error: expect.stringContaining('ECONNREFUSED') as string,
    });
  });

  it('uses connections again for deliveries that follow each other', async () => {
    const ports = new Set<number | undefined>();
    receiver.behave((response) => {
      ports.add(response.socket?.remotePort);
      response.end('ok');
    });
    for (let turn = 0; turn < 10; turn += 1) await egress.post(delivery(receiver.url));
    expect(ports.size).toBeLessThan(4);
  });

  it('names the host, not the address, when it asks for a certificate', async () => {
    const asked: string[] = [];
    const server = createTlsServer({
      SNICallback: (name, done) => {
        asked.push(name);
        done(new Error('no certificate here'));
      },
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const named = new Egress({ production: false }, () => Promise.resolve(['127.0.0.1']), hastyLimits);
    expect(await named.post(delivery(`https://hooks.example.com:${port}/`))).toMatchObject({ kind: 'failed' });
    expect(asked).toEqual(['hooks.example.com']);
    await named.onApplicationShutdown();
    server.close();
  });

  it('gives up on a name server that never answers', async () => {
    const lost = new Egress({ production: true }, () => new Promise(() => undefined), hastyLimits);
    const outcome = await lost.post(delivery('https://hooks.example.com/'));
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'timeout' });
    await lost.onApplicationShutdown();
  });

  it('says that a name leads nowhere', async () => {
    const lost = new Egress({ production: true }, () => Promise.resolve([]), hastyLimits);
    const outcome = await lost.post(delivery('https://hooks.example.com/'));
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'name_not_found' });
    await lost.onApplicationShutdown();
  });

  it('sends nothing to a host whose certificate nobody vouches for', async () => {
    let asked = 0;
    const server = createHttpsServer(SELF_SIGNED, () => (asked += 1)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const named = new Egress({ production: false }, () => Promise.resolve(['127.0.0.1']), hastyLimits);
    for (const name of ['hooks.example.com', 'another.example.com'])
      expect(await named.post(delivery(`https://${name}:${port}/`))).toMatchObject({ kind: 'failed', reason: 'tls' });
    expect(asked).toBe(0);
    await named.onApplicationShutdown();
    server.close();
  });

  describe('in production', () => {
    it.each(['localhost', 'rebound.example.com'])('sends nothing to %s when it leads to this machine', async (name) => {
      const guarded = new Egress({ production: true }, () => Promise.resolve(['127.0.0.1']), hastyLimits);
      const outcome = await guarded.post(delivery(`http://${name}:${receiver.port}/hooks`));
      expect(outcome).toMatchObject({ kind: 'undeliverable', error: expect.stringContaining('not public') as string });
      expect(receiver.received).toHaveLength(0);
      await guarded.onApplicationShutdown();
    });
  });
});
