/**
 * Stripe is asked before it is told, and takes three seconds to answer. The process that asks stands still meanwhile, for eight seconds, and the payee is
 * blocked at another one. When it wakes, the answer lies in its socket: nothing has left, its lease is over, and nothing leaves (points 1 and 3).
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type ApiClient, eventually, type Json, newClient, operator } from '../harness/api';
import { GatewayProcess } from '../harness/gateway-process';
import { type RailService, speakTo, startRailService, stopRailService } from '../harness/rail-sandbox';

const RAIL = 'custodial_a';
const STANDS_STILL_MS = 8_000; // longer than a lease, and less than a call may take

describe('a payee who is blocked while the process that pays them stands still in the middle of its call', () => {
  let service: RailService;
  let other: GatewayProcess;
  let client: ApiClient;
  let ada: Json;
  let account: string;

  beforeAll(async () => {
    service = await startRailService();
    const { settings } = service.gateway;
    other = await GatewayProcess.start({ ...settings, role: 'api' });
    speakTo(other, service);
    client = await newClient({ testMode: false, statusVersion: 2 });
  });
  beforeEach(async () => {
    const id = (account = `acct_${randomUUID().slice(0, 8)}`);
    ada = await client.payee({ country: 'DE', email: `${id}@example.org` });
    await service.sandbox.does(RAIL, 'account', { id });
    expect((await client.post(`/payees/${ada.id}/methods`, { provider: RAIL, providerAccountId: id })).status).toBe(
      200,
    );
  });
  afterAll(async () => {
    await other.kill('SIGTERM');
    await stopRailService(service);
  });

  // What is read first when it wakes is chance.
  test.each([1, 2])('is not paid (%i)', async () => {
    await service.sandbox.fault(RAIL, {
      effect: 'slow',
      match: { method: 'GET', path: '/v1/transfers' },
      times: 1,
      seconds: 3,
    });
    const { body } = await client.payout(ada.id, { amountCents: 6_000, currency: 'EUR' });
    await eventually(
      () => service.sandbox.faults(RAIL),
      ({ length }) => length === 0,
    );
    service.gateway.signal('SIGSTOP');
    const blocked = await operator('PATCH', `/payees/${ada.id}`, { blocked: true, blockReason: 'a fraud' });
    expect([blocked.status, blocked.body.blocked]).toEqual([200, true]);
    await pause(STANDS_STILL_MS);
    service.gateway.signal('SIGCONT');
    await eventually(
      () => operator('GET', `/payouts/${body.id}`),
      ({ body: { status, providerRef, jobs } }) => status !== 'submitted' || providerRef !== null || jobs[0]?.lastError,
    );
    const { transfers } = await service.sandbox.books(RAIL);
    expect(transfers.filter(({ destination }: Json) => destination === account).length).toBe(0);
  });
});
