/**
 * Stripe is asked before it is told, and takes seven seconds to answer. The process that asks is cut off from its database meanwhile (a network that is
 * split: nobody answers), and the payee is blocked at another process. Its lease runs out, it cannot look whether its send is still wanted, and what
 * its adapter writes down before it sends waits for the database. Once that answers again nothing has left, and nothing leaves before somebody looked
 * (points 1 and 3), as when the process stood still.
 */
import { randomUUID } from 'node:crypto';
import { PostgresProxy } from '#libs/db/testing';
import { systemClock } from '#libs/domain';
import { type ApiClient, eventually, type Json, newClient, operator } from '../harness/api';
import { GatewayProcess } from '../harness/gateway-process';
import { type RailService, speakTo, startRailService, stopRailService } from '../harness/rail-sandbox';

const RAIL = 'custodial_a';
const LIST = { method: 'GET', path: '/v1/transfers' };
/** Longer than a lease, and less than a call may take. */
const SLOW_SECONDS = 7;

describe('a payee who is blocked while the process that pays them is cut off from its database', () => {
  let service: RailService;
  let proxy: PostgresProxy;
  let worker: GatewayProcess;
  let client: ApiClient;

  beforeAll(async () => {
    // This one serves only; the one that pays is behind a proxy.
    service = await startRailService({ ROLE: 'api' });
    proxy = await PostgresProxy.start(service.databaseUrl);
    const { settings } = service.gateway;
    const env = { ...settings.env, ROLE: 'worker' };
    worker = await GatewayProcess.start({ ...settings, role: 'worker', databaseUrl: proxy.url, env });
    speakTo(service.gateway, service);
    client = await newClient({ testMode: false, statusVersion: 2 });
  });
  afterAll(async () => {
    await worker.kill('SIGTERM');
    await stopRailService(service);
    await proxy.stop();
  });

  const says = (what: RegExp): Promise<string> =>
    eventually(
      async () => worker.output,
      (output) => what.test(output),
    );

  test('is not paid', async () => {
    const account = `acct_${randomUUID().slice(0, 8)}`;
    const ada: Json = await client.payee({ country: 'DE', email: `${account}@example.org` });
    await service.sandbox.does(RAIL, 'account', { id: account });
    const adopted = await client.post(`/payees/${ada.id}/methods`, { provider: RAIL, providerAccountId: account });
    expect(adopted.status).toBe(200);
    await says(/"rail":"custodial_a","call":"movements"/); // the next comparison is a minute away
    await service.sandbox.fault(RAIL, { effect: 'slow', match: LIST, times: 1, seconds: SLOW_SECONDS });
    const { body } = await client.payout(ada.id, { amountCents: 6_000, currency: 'EUR' });
    await eventually(
      () => service.sandbox.faults(RAIL),
      ({ length }) => length === 0,
    );
    proxy.decide = () => 'silent';
    const blocked = await operator('PATCH', `/payees/${ada.id}`, { blocked: true, blockReason: 'a fraud' });
    expect([blocked.status, blocked.body.blocked]).toEqual([200, true]);
    await says(/"event":"job.not_renewed"/); // PostgreSQL was not heard for longer than a lease
    await eventually(
      () => operator('GET', `/payouts/${body.id}`),
      ({ body: { status, lastAttempt } }) =>
        status === 'submitted' &&
        systemClock.now().getTime() - Date.parse(lastAttempt.sentAt) > (SLOW_SECONDS + 2) * 1_000,
    );
    proxy.decide = () => 'pass';
    const { body: seen } = await eventually(
      () => operator('GET', `/payouts/${body.id}`),
      ({ body: { status, providerRef } }) => status !== 'submitted' || providerRef !== null,
    );
    const { transfers } = await service.sandbox.books(RAIL);
    const sent = transfers.filter(({ destination }: Json) => destination === account);
    expect([sent.length, seen.status]).toEqual([0, 'held']);
  });
});
