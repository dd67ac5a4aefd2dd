/**
 * A process looks each second whether its send is still wanted. It stands still in the middle of a look, for eight seconds: what the database said lies in its socket.
 * The payee is blocked meanwhile at another process. When it wakes it reads that answer, which is older than the block, and its token of PayPal's: nothing has left,
 * its lease is over, and nothing leaves (points 1 and 3).
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { type ApiClient, eventually, type Json, newClient, operator } from '../harness/api';
import { query } from '../harness/database';
import { GatewayProcess } from '../harness/gateway-process';
import { type RailService, speakTo, startRailService, stopRailService } from '../harness/rail-sandbox';

const RAIL = 'claim_rail';
const SEND = { method: 'POST', path: '/v1/payments/payouts' };
const TOKEN = { method: 'POST', path: '/v1/oauth2/token' };
const NO_TOKEN = { status: 401, body: { name: 'AUTHENTICATION_FAILURE', message: 'the token was taken back' } };
const LOOKS = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%account_replaced%'`;
const STANDS_STILL_MS = 8_000; // longer than a lease, and less than a call may take

describe('a payee who is blocked while the process that pays them stands still in the middle of a look', () => {
  let service: RailService;
  let other: GatewayProcess;
  let client: ApiClient;

  beforeAll(async () => {
    service = await startRailService({ CLAIM_RAIL_TIMEOUT_MS: '20000' });
    const { settings } = service.gateway;
    other = await GatewayProcess.start({ ...settings, role: 'api' });
    speakTo(other, service);
    await operator('PUT', '/routes', { routes: { DE: [RAIL] } });
    client = await newClient({ testMode: false, statusVersion: 2 });
    await service.sandbox.does(RAIL, 'notices', { url: null });
    await service.sandbox.does(RAIL, 'fund', { currency: 'EUR', units: 1_000_000 });
  });
  afterAll(async () => {
    await other.kill('SIGTERM');
    await stopRailService(service);
  });

  // What is read first when it wakes is chance.
  test.each([1, 2, 3])('is not paid (%i)', async () => {
    const { sandbox, databaseUrl, gateway } = service;
    const email = `${randomUUID()}@example.org`;
    const ada: Json = await client.payee({ country: 'DE', email });
    await sandbox.does(RAIL, 'register', { email });
    await sandbox.fault(RAIL, { effect: 'answer', match: SEND, times: 1, answer: NO_TOKEN });
    await sandbox.fault(RAIL, { effect: 'slow', match: TOKEN, times: 1, seconds: 3 });
    const holder = new Client({ connectionString: databaseUrl });
    await holder.connect();
    const { body } = await client.payout(ada.id, { amountCents: 6_000, currency: 'EUR' });
    await eventually(
      () => sandbox.faults(RAIL),
      ({ length }) => length === 0,
    );
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE routes IN ACCESS EXCLUSIVE MODE');
    await eventually(
      () => query(databaseUrl, LOOKS),
      ({ length }) => length === 1,
    );
    gateway.signal('SIGSTOP');
    await holder.query('COMMIT');
    await holder.end();
    const blocked = await operator('PATCH', `/payees/${ada.id}`, { blocked: true, blockReason: 'a fraud' });
    expect([blocked.status, blocked.body.blocked]).toEqual([200, true]);
    await pause(STANDS_STILL_MS);
    gateway.signal('SIGCONT');
    await eventually(
      () => operator('GET', `/payouts/${body.id}`),
      ({ body: { status, providerRef, jobs } }) => status !== 'submitted' || providerRef !== null || jobs[0]?.lastError,
    );
    const { payments } = await sandbox.books(RAIL);
    expect(payments.filter(({ receiver }: Json) => receiver === email)).toEqual([]);
  });
});
