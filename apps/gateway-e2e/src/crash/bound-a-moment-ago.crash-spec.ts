/**
 * A rail speaks to another account than it is bound to. An admin binds that one: rows that leave then are sent to it, PayPal pays them, and its answer is
 * lost. They were sent with the account that is bound now, however soon after the binding: that is asked, and they are paid once (points 1 and 2).
 */
import { randomUUID } from 'node:crypto';
import { type ApiClient, eventually, HANGS_MS, type Json, newClient, operator } from '../harness/api';
import { query } from '../harness/database';
import { GatewayProcess } from '../harness/gateway-process';
import { owe, standing, withdraw } from '../harness/owed';
import { type RailService, startRailService, stopRailService } from '../harness/rail-sandbox';

const RAIL = 'claim_rail';
const SEND = { method: 'POST', path: '/v1/payments/payouts' };

describe('rows of claim_rail that are sent right after it was bound anew', () => {
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

  const mine = async (): Promise<string[]> => {
    const { payments } = await service.sandbox.books(RAIL);
    return payments
      .filter(({ receiver }: Json) => receiver === ada.email)
      .map(({ status, units }: Json) => `${status} ${units}`);
  };

  test('are paid once, though the answer is lost', async () => {
    const { settings, port } = service.gateway;
    await service.gateway.kill('SIGTERM');
    // All stand-ins are one account of their provider.
    await query(
      service.databaseUrl,
      `INSERT INTO rail_accounts (rail, account, mode, bound_at) VALUES ($1, 'of before', 'sandbox', now())
       ON CONFLICT (rail) DO UPDATE SET account = 'of before'`,
      [RAIL],
    );
    service.gateway = await GatewayProcess.start(settings, port);
    const rows = await owe(client, ada.id, [6_000], { currency: 'EUR' });
    await service.sandbox.fault(RAIL, { effect: 'cut_after', match: SEND, times: 1 });
    const bound = await operator('POST', `/rails/${RAIL}/rebind`);
    expect([bound.status, bound.body]).toEqual([200, expect.anything()]);
    expect((await withdraw(client, ada.id)).status).toBe(200);
    await eventually(mine, ({ length }) => length > 0);
    expect(await mine()).toEqual(['SUCCESS 6000']);
    const [stands] = await eventually(
      () => standing(client, rows),
      ([one]) => one !== 'released',
      3 * HANGS_MS, // what was sent may be under way for 45 seconds
    );
    expect(stands).toBe('paid');
    expect(await mine()).toEqual(['SUCCESS 6000']);
  });
});
