/**
 * A question that may send stands still between its last look (`isStopped`, `isClear`) and its call, or in the middle of a look whose answer lies in its socket
 * then: PayPal took the token back, and the process freezes while it is asked for another one. Another process holds the payout meanwhile, for its
 * payee is blocked; an admin looks at PayPal, which has nothing, and says so; the rows leave with one more, and are paid. The first process wakes
 * within its twenty seconds: nothing leaves any more (points 1 and 2; ADR 87, 100).
 */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { ApiClient, eventually, HANGS_MS, type Json, newClient, operator } from '../harness/api';
import { query } from '../harness/database';
import { GatewayProcess } from '../harness/gateway-process';
import { newestPayout, owe, withdraw } from '../harness/owed';
import { type RailService, speakTo, startRailService, stopRailService } from '../harness/rail-sandbox';

const RAIL = 'claim_rail';
const SEND = { method: 'POST', path: '/v1/payments/payouts' };
const TOKEN = { method: 'POST', path: '/v1/oauth2/token' };
const NO_TOKEN = { status: 401, body: { name: 'AUTHENTICATION_FAILURE', message: 'the token was taken back' } };
const LOOKS = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%account_replaced%'`;
/** No call that was made before is under way any more. */
const OVER = `SELECT FROM payouts WHERE id = $1 AND created_at < now() - interval '50 seconds'`;

describe('a question that stands still before it sends', () => {
  let service: RailService;
  let other: GatewayProcess;
  let client: ApiClient;

  const asksAt = (process: GatewayProcess): void => {
    speakTo(process, service);
    client = new ApiClient(client.id, client.key, client.secret, [process.url]);
  };

  beforeAll(async () => {
    service = await startRailService({ CLAIM_RAIL_TIMEOUT_MS: '20000' });
    other = await GatewayProcess.start(service.gateway.settings);
    await operator('PUT', '/routes', { routes: { DE: [RAIL] } });
    client = await newClient({ testMode: false, statusVersion: 2 });
    await service.sandbox.does(RAIL, 'notices', { url: null });
    await service.sandbox.does(RAIL, 'fund', { currency: 'EUR', units: 1_000_000 });
  });
  afterAll(async () => {
    await other.kill('SIGKILL');
    await stopRailService(service);
  });

  const newest = () => newestPayout(service.databaseUrl);
  const status = async (id: string) => (await operator('GET', `/payouts/${id}`)).body.status;

  /** `isLooking`: one of its looks waits in the database then, and is answered meanwhile. */
  const standsStill = async (isLooking: boolean): Promise<void> => {
    const holder = new Client({ connectionString: service.databaseUrl });
    await holder.connect();
    await holder.query('BEGIN');
    if (isLooking) {
      await holder.query('LOCK TABLE routes IN ACCESS EXCLUSIVE MODE');
      await eventually(
        () => query(service.databaseUrl, LOOKS),
        ({ length }) => length === 1,
      );
    }
    service.gateway.signal('SIGSTOP');
    await holder.query('COMMIT');
    await holder.end();
  };

  test.each([
    ['between its last look and its call', false],
    ['in the middle of a look', true],
  ])('%s pays nothing when it wakes', async (_, isLooking) => {
    const { sandbox, databaseUrl, gateway } = service;
    other.signal('SIGSTOP');
    asksAt(gateway);
    const ada: Json = await client.payee({ country: 'DE', email: `${randomUUID()}@example.org` });
    await sandbox.does(RAIL, 'register', { email: ada.email });
    await sandbox.fault(RAIL, { effect: 'cut_before', match: SEND, times: 1 });
    await sandbox.fault(RAIL, { effect: 'server_error', match: SEND, times: 1_000 });
    await owe(client, ada.id, [6_000], { currency: 'EUR' });
    await withdraw(client, ada.id);
    const first = await newest();
    await eventually(
      () => query(databaseUrl, OVER, [first]),
      ({ length }) => length === 1,
      2 * HANGS_MS,
    );
    await sandbox.forgetFaults(RAIL);
    await sandbox.fault(RAIL, { effect: 'answer', match: SEND, times: 1, answer: NO_TOKEN });
    await sandbox.fault(RAIL, { effect: 'slow', match: TOKEN, times: 1, seconds: 3 });
    await eventually(
      () => sandbox.faults(RAIL),
      ({ length }) => length === 0,
      2 * HANGS_MS,
    );
    await standsStill(isLooking);
    other.signal('SIGCONT');
    asksAt(other);
    expect((await operator('PATCH', `/payees/${ada.id}`, { blocked: true, blockReason: 'x' })).status).toBe(200);
    await eventually(
      () => status(first),
      (now) => now === 'held',
    );
    const failed = await operator('POST', `/payouts/${first}/fail`, { reason: 'not at PayPal', neverSeen: true });
    expect([failed.status, failed.body.status]).toEqual([200, 'failed']);
    expect((await operator('PATCH', `/payees/${ada.id}`, { blocked: false })).status).toBe(200);
    await owe(client, ada.id, [5_000], { currency: 'EUR' });
    expect((await withdraw(client, ada.id)).status).toBe(200);
    const second = await newest();
    await eventually(
      () => status(second),
      (now) => now === 'paid',
    );
    const before = gateway.output.length;
    gateway.signal('SIGCONT');
    await eventually(
      async () => gateway.output.slice(before),
      (said) => said.split('\n').some((line) => line.includes('rail.called') && line.includes(first)),
    );
    const { payments } = await sandbox.books(RAIL);
    const mine = payments.filter(({ receiver }: Json) => receiver === ada.email);
    expect(mine.map(({ status, units }: Json) => `${status} ${units}`)).toEqual(['SUCCESS 11000']);
  });
});
