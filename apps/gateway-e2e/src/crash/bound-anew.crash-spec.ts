/**
 * A rail refused rows for now, and is bound to another account of its provider. An admin finds out that the account of before moved nothing, and says
 * `neverSeen`, which is what ADR 68 asks of them: then the rows leave with the new account, and arrive. Nothing that the old account called
 * its batch or order may keep them back for good.
 */
import { randomUUID } from 'node:crypto';
import { type ApiClient, eventually, type Json, newClient, operator } from '../harness/api';
import { query } from '../harness/database';
import { GatewayProcess } from '../harness/gateway-process';
import { readPayout } from '../harness/money';
import { newestPayout, owe, standing, withdraw } from '../harness/owed';
import { RailSandbox, type RailService, startRailService, stopRailService } from '../harness/rail-sandbox';

const rail = 'claim_rail';

describe('rows of claim_rail that is bound anew', () => {
  let service: RailService;
  let next: RailSandbox;
  let client: ApiClient;
  let ada: Json;

  beforeAll(async () => {
    service = await startRailService();
    next = await RailSandbox.start(service.gateway.url);
    await operator('PUT', '/routes', { routes: { DE: [rail] } });
    client = await newClient({ testMode: false, statusVersion: 2 });
    ada = await client.payee({ country: 'DE', email: `${randomUUID()}@example.org` });
  });
  afterAll(async () => {
    await stopRailService(service);
    await next.stop();
  });

  const newest = () => newestPayout(service.databaseUrl);

  test('leave once an admin says that the account of before moved nothing', async () => {
    await service.sandbox.does(rail, 'fund', { currency: 'EUR', units: 0 });
    const rows = await owe(client, ada.id, [6_000], { currency: 'EUR' });
    await withdraw(client, ada.id);
    const first = await newest();
    await eventually(
      () => readPayout(client, first),
      ({ status }) => status === 'failed',
    );
    await next.does(rail, 'register', { email: ada.email });
    await next.does(rail, 'fund', { currency: 'EUR', units: 1_000_000 });
    const { settings, port } = service.gateway;
    await service.gateway.kill('SIGTERM');
    // All stand-ins are one account of their provider.
    await query(service.databaseUrl, `UPDATE rail_accounts SET account = 'of before' WHERE rail = $1`, [rail]);
    await query(service.databaseUrl, `UPDATE payouts SET sent_with = 'sandbox of before' WHERE id = $1`, [first]);
    const env = { ...settings.env, ...(await next.settings()) };
    service.gateway = await GatewayProcess.start({ ...settings, env }, port);
    const bound = await operator('POST', `/rails/${rail}/rebind`);
    expect([bound.status, bound.body]).toEqual([200, expect.anything()]);
    const failed = await operator('POST', `/payouts/${first}/fail`, { reason: 'looked there', neverSeen: true });
    expect([failed.status, failed.body]).toEqual([200, expect.anything()]);
    expect((await withdraw(client, ada.id)).status).toBe(200);
    const second = await newest();
    expect(second).not.toBe(first);
    const [stands] = await eventually(
      () => standing(client, rows),
      ([one]) => one !== 'released',
    );
    expect(stands).toBe('paid');
  });
});
