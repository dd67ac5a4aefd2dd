/**
 * PayPal denied a batch, and never got the next one. A look-up, which sends that one again, begins by asking about the first, and PayPal takes its
 * time. Meanwhile the payee is blocked: that look-up is called off before it sends, as a send would be.
 */
import { randomUUID } from 'node:crypto';
import { type ApiClient, eventually, type Json, newClient, operator } from '../harness/api';
import { query } from '../harness/database';
import { reachesStatus } from '../harness/money';
import { type RailService, startRailService, stopRailService } from '../harness/rail-sandbox';

const RAIL = 'claim_rail';
const SEND = { method: 'POST', path: '/v1/payments/payouts' };
const ASK = { method: 'GET', path: '/v1/payments/payouts/' };
/** Longer than a question is looked at for the first time. */
const SLOW_SECONDS = 6;
const HELD = `SELECT FROM jobs WHERE name = 'payout.drive' AND entity_id = $1 AND lease_token IS NOT NULL`;

describe('a payee who is blocked while PayPal is asked about an earlier batch', () => {
  let service: RailService;
  let client: ApiClient;
  let ada: Json;

  beforeAll(async () => {
    service = await startRailService();
    await operator('PUT', '/routes', { routes: { DE: [RAIL] } });
    client = await newClient({ testMode: false, statusVersion: 2 });
    ada = await client.payee({ country: 'DE', email: `${randomUUID()}@example.org` });
    await service.sandbox.does(RAIL, 'register', { email: ada.email });
  });
  afterAll(() => stopRailService(service));

  const fund = (units: number) => service.sandbox.does(RAIL, 'fund', { currency: 'EUR', units });
  const faults = (are: (left: Json[]) => boolean) => eventually(() => service.sandbox.faults(RAIL), are);

  async function denied(): Promise<string> {
    await fund(0);
    const { body } = await client.payout(ada.id, { amountCents: 6_000, currency: 'EUR' });
    await reachesStatus(client, body.id, 'failed');
    await fund(1_000_000);
    return body.id;
  }

  test('is not paid by that look-up', async () => {
    const id = await denied();
    await service.sandbox.fault(RAIL, { effect: 'cut_before', match: SEND, times: 1 });
    await operator('POST', `/payouts/${id}/retry`);
    await faults(({ length }) => length === 0);
    await service.sandbox.fault(RAIL, { effect: 'slow', match: ASK, times: 1_000, seconds: SLOW_SECONDS });
    await faults(([slow]) => slow?.left < 1_000);
    const block = { blocked: true, blockReason: 'asked to' };
    expect((await operator('PATCH', `/payees/${ada.id}`, block)).status).toBe(200);
    await eventually(
      () => query(service.databaseUrl, HELD, [id]),
      ({ length }) => length === 0,
    );
    const { payments } = await service.sandbox.books(RAIL);
    expect(payments.map(({ status }: Json) => status)).toEqual(['DENIED']);
  });
});
