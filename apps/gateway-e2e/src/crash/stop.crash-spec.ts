/** SIGTERM in the middle of work: what was answered stays, nothing new gets in, leases are given back, and the process goes. */
import type { ServerResponse } from 'node:http';
import { Client } from 'pg';
import { eventually, send, signedHeaders } from '../harness/api';
import { query } from '../harness/database';
import type { GatewayProcess } from '../harness/gateway-process';
import { HeldSocket } from '../harness/held-socket';
import { beginRun, cameToRest, expectPaidOnce, payUntilAnswered, type PayoutRun } from '../harness/payout-run';
import { startTopology, stopTopology, type Topology, type TopologyName } from '../harness/topology';

const PAYERS = 8;
const BEFORE = 40;
const QUIET = { RATE_LIMIT_PER_MINUTE: '1000000', LOG_LEVEL: 'info' };

const begun = ({ output }: GatewayProcess): boolean => output.includes('"event":"stop.begun"');
const ended = ({ output }: GatewayProcess): string[] =>
  [...output.matchAll(/"event":"(stop\.(?:done|forced|failed))"/g)].map(([, event]) => event as string);

interface Accepted {
  id: string;
  /** Whether the process had said that it stops before this was sent. */
  late: boolean;
}

/** Pays without a pause over connections that are kept, until nobody listens any more. */
async function payUntilGone(run: PayoutRun, gateways: GatewayProcess[], accepted: Accepted[]): Promise<void> {
  for (;;) {
    const late = gateways.every(begun);
    const reason = accepted.length % 3 ? undefined : 'mock:timeout';
    const answer = await run.client.payout(run.payee.id, reason ? { reason } : {}).catch(() => null);
    if (!answer) {
      if (late) return;
      continue; // closed as it fell idle: another process may still be there
    }
    if (answer.status === 201) accepted.push({ id: answer.body.id, late });
    else expect([answer.status, answer.body.error]).toEqual([503, 'service_unavailable']);
    if (answer.status === 503) expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  }
}

/** That somebody waits for. One that was over before the stop, of a ticket that nobody took on a busy machine, keeps nobody waiting. */
const leases = (databaseUrl: string, stoppedAt = new Date(0)): Promise<object[]> =>
  query(databaseUrl, 'SELECT name, entity_id FROM jobs WHERE lease_token IS NOT NULL AND run_at > $1', [stoppedAt]);

describe.each<TopologyName>(['embedded-1', 'embedded-4', 'bull-1', 'bull-4'])('SIGTERM under load on %s', (name) => {
  let topology: Topology;
  let run: PayoutRun;
  beforeAll(async () => {
    topology = await startTopology(name, QUIET);
    run = await beginRun(topology);
  });
  afterAll(async () => {
    await stopTopology(topology);
    await run.catcher.stop();
  });

  test('every process ends by itself, and what it answered is paid once', async () => {
    const accepted: Accepted[] = [];
    const paying = Array.from({ length: PAYERS }, () => payUntilGone(run, topology.processes, accepted));
    await eventually(
      () => Promise.resolve(accepted.length),
      (count) => count >= BEFORE,
    );
    const [{ stoppedAt } = { stoppedAt: new Date(0) }] = await query<{ stoppedAt: Date }>(
      topology.databaseUrl,
      'SELECT now() AS "stoppedAt"',
    );
    const codes = await Promise.all(topology.processes.map((process) => process.kill('SIGTERM')));
    await Promise.all(paying);
    expect(codes).toEqual(codes.map(() => 0));
    expect(topology.processes.map(ended)).toEqual(codes.map(() => ['stop.done']));
    expect(accepted.filter(({ late }) => late)).toEqual([]);
    expect(await leases(topology.databaseUrl, stoppedAt)).toEqual([]);
    await Promise.all(topology.processes.map((process) => process.restart()));
    await cameToRest(topology.databaseUrl);
    const there = await query<{ id: string }>(topology.databaseUrl, 'SELECT id::text FROM payouts');
    const ids = there.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(accepted.map(({ id }) => id)));
    await expectPaidOnce(topology.databaseUrl, run, ids);
  });
});

describe.each<TopologyName>(['embedded-1', 'bull-1'])('jobs under way at SIGTERM on %s', (name) => {
  let topology: Topology;
  let run: PayoutRun;
  const heldBack: ServerResponse[] = [];
  const start = async (graceSeconds: number): Promise<GatewayProcess> => {
    topology = await startTopology(name, { ...QUIET, STOP_GRACE_SECONDS: String(graceSeconds) });
    run = await beginRun(topology);
    return topology.processes[0] as GatewayProcess;
  };
  /** The receiver takes a delivery and says nothing yet. */
  const underWay = async (): Promise<string[]> => {
    await cameToRest(topology.databaseUrl); // what was told of the payee
    run.catcher.behave((_, response) => heldBack.push(response));
    const ids = [(await payUntilAnswered(run)).body.id, (await payUntilAnswered(run)).body.id];
    await eventually(
      () => Promise.resolve(heldBack.length),
      (count) => count === ids.length,
    );
    return ids;
  };
  afterEach(async () => {
    await stopTopology(topology);
    await run.catcher.stop();
    heldBack.length = 0;
  });

  test('finish within the grace, and are not done again', async () => {
    const gateway = await start(25);
    const ids = await underWay();
    const gone = gateway.kill('SIGTERM');
    await eventually(
      () => Promise.resolve(begun(gateway)),
      (said) => said,
    );
    run.catcher.behave();
    for (const response of heldBack) response.writeHead(204).end();
    expect(await gone).toBe(0);
    expect(await leases(topology.databaseUrl)).toEqual([]);
    const attempts = await query<{ attempts: number }>(
      topology.databaseUrl,
      `SELECT attempts FROM events WHERE entity_id = ANY($1::uuid[]) AND status = 'delivered'`,
      [ids],
    );
    expect(attempts.length).toBeGreaterThanOrEqual(ids.length);
    expect(attempts.every(({ attempts: made }) => made === 1)).toBe(true);
    await gateway.restart();
    await cameToRest(topology.databaseUrl);
    await expectPaidOnce(topology.databaseUrl, run, ids);
    const firsts = run.catcher.received.filter(({ json }) => {
      const { type, sequence } = json as { type: string; sequence: number };
      return type === 'payout.status' && sequence === 1;
    });
    expect(firsts).toHaveLength(ids.length);
  });

  test('that outlast the grace are handed back: no lease is left for others to wait for', async () => {
    const gateway = await start(2);
    const ids = await underWay();
    expect(await gateway.kill('SIGTERM')).toBe(0);
    expect(ended(gateway)).toEqual(['stop.done']);
    expect(gateway.output).toContain('"event":"jobs.cut_off"');
    expect(await leases(topology.databaseUrl)).toEqual([]);
    expect(await query(topology.databaseUrl, `SELECT FROM jobs WHERE run_at <= now()`)).toHaveLength(ids.length);
    run.catcher.behave();
    await gateway.restart();
    await cameToRest(topology.databaseUrl);
    await expectPaidOnce(topology.databaseUrl, run, ids);
  });
});

describe('connections at SIGTERM', () => {
  let topology: Topology;
  let run: PayoutRun;
  let gateway: GatewayProcess;
  beforeEach(async () => {
    topology = await startTopology('embedded-1', QUIET);
    run = await beginRun(topology);
    gateway = topology.processes[0] as GatewayProcess;
  });
  afterEach(async () => {
    await stopTopology(topology);
    await run.catcher.stop();
  });

  const READY = 'GET /health/ready HTTP/1.1\r\nHost: a\r\n\r\n';

  test('that are idle are closed, new ones refused, and a request that was begun is answered and closes its own', async () => {
    const body = JSON.stringify({ externalId: 'begun' });
    const headers = { ...signedHeaders(run.client.key, run.client.secret, body), 'content-type': 'application/json' };
    const head = Object.entries(headers).map(([header, value]) => `${header}: ${value}\r\n`);
    const silent = await HeldSocket.open(gateway.port);
    const kept = await HeldSocket.open(gateway.port);
    kept.write(READY);
    await kept.received(/HTTP\/1\.1 200/);
    const busy = await HeldSocket.open(gateway.port);
    busy.write(`POST /api/v1/payees HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n${head.join('')}\r\n{`);
    await eventually(
      () => send(`${gateway.url}/health/live`, 'GET', { connection: 'close' }),
      ({ status }) => status === 200, // whatever was written before has arrived
    );
    const gone = gateway.kill('SIGTERM');
    await Promise.all([silent.closed, kept.closed]);
    await expect(send(`${gateway.url}/health/ready`, 'GET', {})).rejects.toThrow();
    busy.write(body.slice(1) + READY);
    await busy.closed;
    expect(busy.text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(busy.text).toMatch(/\r\nconnection: close\r\n/i);
    expect(busy.text.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(await gone).toBe(0);
    expect(await query(topology.databaseUrl, `SELECT FROM payees WHERE external_id = 'begun'`)).toHaveLength(1);
  });

  test('whose request takes long keep no job from being left to others, and are answered', async () => {
    const locker = new Client({ connectionString: topology.databaseUrl });
    await locker.connect();
    await locker.query('BEGIN');
    await locker.query('LOCK TABLE payees IN ACCESS EXCLUSIVE MODE');
    const slow = run.client.post('/payees', { externalId: 'slow' });
    await eventually(
      () => query(topology.databaseUrl, WAITING_FOR_PAYEES),
      (waiting) => waiting.length > 0,
    );
    const gone = gateway.kill('SIGTERM');
    await eventually(
      () => Promise.resolve(gateway.output),
      (output) => output.includes('"event":"jobs.stopped"'),
    );
    await locker.query('COMMIT');
    await locker.end();
    expect((await slow).status).toBe(200);
    expect(await gone).toBe(0);
    expect(ended(gateway)).toEqual(['stop.done']);
  });

  test('over which a body never comes keep no process from ending', async () => {
    const dribbling = await HeldSocket.open(gateway.port);
    const key = `Authorization: Bearer ${run.client.key}`;
    dribbling.write(`POST /api/v1/payees HTTP/1.1\r\nHost: a\r\n${key}\r\nContent-Length: 100\r\n\r\n{`);
    const half = await HeldSocket.open(gateway.port);
    half.write('POST /api/v1/pay');
    expect(await gateway.kill('SIGTERM')).toBe(0);
    expect(ended(gateway)).toEqual(['stop.done']);
    await Promise.all([dribbling.closed, half.closed]);
  });
});

test('a process whose Redis does not answer stops like any other', async () => {
  const topology = await startTopology('bull-1', { ...QUIET, REDIS_URL: 'redis://127.0.0.1:1' });
  const run = await beginRun(topology);
  await payUntilAnswered(run);
  const [gateway] = topology.processes as [GatewayProcess];
  expect(await gateway.kill('SIGTERM')).toBe(0);
  expect(ended(gateway)).toEqual(['stop.done']);
  expect(await leases(topology.databaseUrl)).toEqual([]);
  await run.catcher.stop();
});

const WAITING_FOR_PAYEES = `
  SELECT FROM pg_locks WHERE relation = 'payees'::regclass AND NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
