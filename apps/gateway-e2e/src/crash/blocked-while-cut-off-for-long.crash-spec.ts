/**
 * PayPal wants a new token before it takes a batch, and takes seven seconds to give it. The process that sends is cut off from its database meanwhile and stays
 * so, and the payee is blocked at another process. Nothing has left, its lease is over, and nobody can look whether the send is still wanted: nothing leaves
 * (points 1 and 3), however the database is away.
 */
import { randomUUID } from 'node:crypto';
import { type Fate, PostgresProxy } from '#libs/db/testing';
import { systemClock } from '#libs/domain';
import { type ApiClient, eventually, type Json, newClient, operator } from '../harness/api';
import { GatewayProcess } from '../harness/gateway-process';
import { type RailService, speakTo, startRailService, stopRailService } from '../harness/rail-sandbox';

const RAIL = 'claim_rail';
const SEND = { method: 'POST', path: '/v1/payments/payouts' };
const TOKEN = { method: 'POST', path: '/v1/oauth2/token' };
const NO_TOKEN = { status: 401, body: { name: 'AUTHENTICATION_FAILURE', message: 'the token was taken back' } };
/** Longer than a lease, and less than a call may take. */
const SLOW_SECONDS = 8;
const CALL_MS = 20_000;

describe('a payee who is blocked while the process that pays them has no database', () => {
  let service: RailService;
  let proxy: PostgresProxy;
  let worker: GatewayProcess;
  let client: ApiClient;

  beforeAll(async () => {
    // This one serves only; the one that pays is behind a proxy.
    service = await startRailService({ ROLE: 'api', CLAIM_RAIL_TIMEOUT_MS: String(CALL_MS) });
    proxy = await PostgresProxy.start(service.databaseUrl);
    const { settings } = service.gateway;
    const env = { ...settings.env, ROLE: 'worker' };
    worker = await GatewayProcess.start({ ...settings, role: 'worker', databaseUrl: proxy.url, env });
    speakTo(service.gateway, service);
    await operator('PUT', '/routes', { routes: { DE: [RAIL] } });
    client = await newClient({ testMode: false, statusVersion: 2 });
    await service.sandbox.does(RAIL, 'notices', { url: null });
    await service.sandbox.does(RAIL, 'fund', { currency: 'EUR', units: 1_000_000 });
  });
  afterAll(async () => {
    await worker.kill('SIGTERM');
    await stopRailService(service);
    await proxy.stop();
  });

  test.each<Fate>(['ended before', 'silent'])('is not paid: %s', async (fate) => {
    const { sandbox } = service;
    const email = `${randomUUID()}@example.org`;
    const ada: Json = await client.payee({ country: 'DE', email });
    await sandbox.does(RAIL, 'register', { email });
    await sandbox.fault(RAIL, { effect: 'answer', match: SEND, times: 1, answer: NO_TOKEN });
    await sandbox.fault(RAIL, { effect: 'slow', match: TOKEN, times: 1, seconds: SLOW_SECONDS });
    const { body } = await client.payout(ada.id, { amountCents: 6_000, currency: 'EUR' });
    await eventually(
      () => sandbox.faults(RAIL),
      ({ length }) => length === 0,
    );
    proxy.decide = () => fate;
    const blocked = await operator('PATCH', `/payees/${ada.id}`, { blocked: true, blockReason: 'a fraud' });
    expect([blocked.status, blocked.body.blocked]).toEqual([200, true]);
    const sent = async (): Promise<Json[]> =>
      (await sandbox.books(RAIL)).payments.filter(({ receiver }: Json) => receiver === email);
    // It is given up by then, or has left.
    await eventually(
      async () => ({ left: await sent(), seen: (await operator('GET', `/payouts/${body.id}`)).body }),
      ({ left, seen }) =>
        left.length > 0 || systemClock.now().getTime() - Date.parse(seen.lastAttempt.sentAt) > CALL_MS,
    );
    proxy.decide = () => 'pass';
    expect(await sent()).toEqual([]);
  });
});
