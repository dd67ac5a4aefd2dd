/** Callers who dribble, crowd, measure and forge log lines: others are served, and nothing is learned or planted. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type ApiClient, newClient, send, signedHeaders } from '../harness/api';
import type { GatewayProcess } from '../harness/gateway-process';
import { requestBytes, sendBytes, statusesOf } from '../harness/raw-socket';
import { startTopology, stopTopology, type Topology } from '../harness/topology';

const SAMPLES = 2_000;
const IDLE_SOCKETS = 2_000;

describe('hostile callers', () => {
  let topology: Topology;
  let gateway: GatewayProcess;
  let client: ApiClient;

  beforeAll(async () => {
    topology = await startTopology('embedded-1', {
      LOG_LEVEL: 'trace',
      RATE_LIMIT_PER_MINUTE: '1000000',
      AUTH_FAILURES_PER_MINUTE: '1000000',
    });
    const { urls, operatorToken, databaseUrl } = topology;
    process.env.E2E_UNDER_TEST = JSON.stringify({ urls, operatorToken, databaseUrl });
    gateway = topology.processes[0] as GatewayProcess;
    screenEnds = gateway.output.length;
    client = await newClient();
  });
  afterAll(() => stopTopology(topology));

  /** Everything after the start screen is the log. */
  let screenEnds: number;
  const log = (): string => gateway.output.slice(screenEnds);

  test('2,000 idle connections keep nobody else waiting for an answer', async () => {
    const sockets = await Promise.all(Array.from({ length: IDLE_SOCKETS }, () => openSocket(gateway.port)));
    try {
      const answers = await Promise.all(Array.from({ length: 50 }, () => client.get('/payees')));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect((await send(`${gateway.url}/health/ready`, 'GET', {})).status).toBe(200);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });

  test('a body that dribbles is cut off with 408', async () => {
    const key = `Authorization: Bearer ${client.key}`;
    const head = requestBytes('POST', '/api/v1/payees', ['Host: a', key, 'Content-Length: 100'], '{');
    expect(statusesOf(await sendBytes(head, { waitMs: 32_000 }))).toEqual([408]);
  });

  test('what a caller writes never begins a log line, and no secret stands in one', async () => {
    const forged = '{"level":"error","event":"forged"}';
    const escape = '\u001b[31mred';
    const secretMark = randomUUID();
    const headers = signedHeaders(client.key, client.secret, '');
    await send(`${gateway.url}/api/v1/payees?x=${encodeURIComponent(`\r\n${forged}`)}`, 'GET', {
      ...headers,
      'user-agent': `a\t${forged}`,
      'x-request-id': forged,
    });
    await sendBytes(requestBytes('GET', `/${escape}`, ['Host: a', `User-Agent: ${escape}`, 'Connection: close']));
    const payee = await client.payablePayee({ name: `${escape}\r\n${forged}`, email: `m${secretMark}@example.com` });
    await client.payout(payee.id, { ref: `\n${forged}`, reason: `${escape}\n${forged}` });
    await client.post('/payouts', { payeeId: payee.id, [`\n${forged}`]: secretMark });
    for (const line of log().split('\n').filter(Boolean)) {
      expect(line).not.toContain('\u001b');
      expect(JSON.parse(line)).not.toMatchObject({ event: 'forged' });
    }
    for (const secret of [client.key, client.secret, headers['x-gw-signature'] as string, secretMark])
      expect(log()).not.toContain(secret);
    expect(log()).not.toMatch(/[\w.]+@example\.com/);
    expect(log()).toContain('"event":"request"');
  });

  // A chance between two samples of one kind is 0.5; its standard error here is below 0.01.
  test('the time of an answer does not tell how much of a signature or of a key was right', async () => {
    const right = signedHeaders(client.key, client.secret, '');
    const signature = right['x-gw-signature'] as string;
    const almost = signature.slice(0, -1) + (signature.endsWith('0') ? '1' : '0');
    const guess = (wrong: string) => timed(gateway, { ...right, 'x-gw-signature': wrong });
    expect(
      await chanceToTell(
        () => guess(almost),
        () => guess(randomBytes(32).toString('hex')),
      ),
    ).toBeLessThan(0.55);
    const knownKey = (key: string) => timed(gateway, { ...right, authorization: `Bearer ${key}` });
    const last = client.key.endsWith('A') ? 'B' : 'A';
    const otherKey = `gw_test_${'A'.repeat(client.key.length - 'gw_test_'.length)}`;
    expect(
      await chanceToTell(
        () => knownKey(client.key.slice(0, -1) + last),
        () => knownKey(otherKey),
      ),
    ).toBeLessThan(0.55);
  }, 900_000); // thousands of answers, one after the other
});

async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket.on('error', () => undefined); // the oldest are closed when there are too many
}

async function timed(gateway: GatewayProcess, headers: Record<string, string>): Promise<number> {
  const startedAt = performance.now();
  const { status } = await send(`${gateway.url}/api/v1/payees`, 'GET', headers);
  if (status !== 401) throw new Error(`The guess was answered with ${status}.`);
  return performance.now() - startedAt;
}

/** How often a sample of one kind takes longer than one of the other, taken in pairs: 0.5 means nobody can tell. */
async function chanceToTell(a: () => Promise<number>, b: () => Promise<number>): Promise<number> {
  const [as, bs]: [number[], number[]] = [[], []];
  for (let count = 0; count < SAMPLES; count += 1) {
    const pair = [
      { samples: as, take: a },
      { samples: bs, take: b },
    ];
    for (const { samples, take } of randomInt(2) ? pair : pair.reverse()) samples.push(await take());
  }
  const sorted = [...as.map((ms) => ({ ms, a: true })), ...bs.map((ms) => ({ ms, a: false }))].sort(
    (left, right) => left.ms - right.ms,
  );
  const rankSum = sorted.reduce((sum, sample, index) => (sample.a ? sum + index + 1 : sum), 0);
  const share = (rankSum - (SAMPLES * (SAMPLES + 1)) / 2) / (SAMPLES * SAMPLES);
  return Math.max(share, 1 - share);
}
