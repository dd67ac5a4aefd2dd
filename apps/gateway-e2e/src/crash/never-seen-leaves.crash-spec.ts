/**
 * What was sent to PayPal, got no answer, and was kept back for a month can be looked up by nobody but a person (the rail says so). An admin looks, finds
 * nothing, and says `neverSeen`: then its rows leave, and arrive.
 */
import { randomUUID } from 'node:crypto';
import { type ApiClient, eventually, HANGS_MS, type Json, newClient, operator } from '../harness/api';
import { query } from '../harness/database';
import { newestPayout, owe, standing, withdraw } from '../harness/owed';
import { type RailService, startRailService, stopRailService } from '../harness/rail-sandbox';

const RAIL = 'claim_rail';
const SEND = { method: 'POST', path: '/v1/payments/payouts' };
const A_MONTH = [
  `UPDATE rail_records SET value = value || jsonb_build_object('begunAt', now() - interval '30 days')
   WHERE rail = 'claim_rail' AND key = (SELECT 'payout:' || rail_key FROM payouts WHERE id = $1)`,
  `UPDATE payouts SET submitted_at = submitted_at - interval '30 days', code_since = code_since - interval '30 days' WHERE id = $1`,
];

describe('rows that an admin found PayPal never saw', () => {
  let service: RailService;
  let client: ApiClient;
  let ada: Json;

  beforeAll(async () => {
    service = await startRailService();
    await operator('PUT', '/routes', { routes: { DE: [RAIL] } });
    client = await newClient({ testMode: false, statusVersion: 2 });
    ada = await client.payee({ country: 'DE', email: `${randomUUID()}@example.org` });
    await service.sandbox.does(RAIL, 'register', { email: ada.email });
    await service.sandbox.does(RAIL, 'fund', { currency: 'EUR', units: 1_000_000 });
  });
  afterAll(() => stopRailService(service));

  const newest = () => newestPayout(service.databaseUrl);
  const becomes = (id: string, wanted: string): Promise<unknown> =>
    eventually(
      () => operator('GET', `/payouts/${id}`),
      ({ body: { status } }) => status === wanted,
      2 * HANGS_MS, // what was sent may be under way for 45 seconds
    );

  test('leave, and arrive', async () => {
    await service.sandbox.fault(RAIL, { effect: 'cut_before', match: SEND, times: 1 });
    await service.sandbox.fault(RAIL, { effect: 'server_error', match: SEND, times: 1_000 });
    const rows = await owe(client, ada.id, [6_000], { currency: 'EUR' });
    await withdraw(client, ada.id);
    const first = await newest();
    await eventually(
      () => service.sandbox.faults(RAIL),
      ({ length }) => length === 1,
    );
    expect((await operator('PATCH', `/payees/${ada.id}`, { blocked: true, blockReason: 'looked into' })).status).toBe(
      200,
    );
    await becomes(first, 'held');
    for (const passes of A_MONTH) await query(service.databaseUrl, passes, [first]);
    await service.sandbox.forgetFaults(RAIL);
    expect((await operator('PATCH', `/payees/${ada.id}`, { blocked: false })).status).toBe(200);
    const failed = await operator('POST', `/payouts/${first}/fail`, { reason: 'looked there', neverSeen: true });
    expect([failed.status, failed.body.status]).toEqual([200, 'failed']);
    expect((await withdraw(client, ada.id)).status).toBe(200);
    const [stands] = await eventually(
      () => standing(client, rows),
      ([one]) => one !== 'released',
    );
    expect(stands).toBe('paid');
  });
});
