/**
 * PayPal never got what was sent, and the payee or the country is blocked, or the client suspended, before anybody knows that: nothing leaves
 * then, by no question either, until that is over.
 */
import { randomUUID } from 'node:crypto';
import { type ApiClient, eventually, type Json, newClient, operator } from '../harness/api';
import { query } from '../harness/database';
import { reachesStatus, reasonOf } from '../harness/money';
import { type RailService, startRailService, stopRailService } from '../harness/rail-sandbox';

const RAIL = 'claim_rail';
const DUE_OR_HELD = `SELECT FROM jobs
  WHERE name = 'payout.drive' AND entity_id = $1 AND (lease_token IS NOT NULL OR run_at <= now())`;
const SEND = { method: 'POST', path: '/v1/payments/payouts' };

describe('a payout of the caller that is in doubt at PayPal', () => {
  let service: RailService;
  let client: ApiClient;
  let ada: Json;

  beforeAll(async () => {
    service = await startRailService();
    await operator('PUT', '/routes', { routes: { DE: [RAIL] } });
    await service.sandbox.does(RAIL, 'fund', { currency: 'EUR', units: 1_000_000 });
  });
  afterAll(() => stopRailService(service));
  beforeEach(async () => {
    client = await newClient({ testMode: false, statusVersion: 2 });
    ada = await client.payee({ country: 'DE', email: `${randomUUID()}@example.org` });
    await service.sandbox.does(RAIL, 'register', { email: ada.email });
  });

  const payments = async (): Promise<Json[]> =>
    (await service.sandbox.books(RAIL)).payments.filter(({ receiver }: Json) => receiver === ada.email);
  const inDoubt = async (): Promise<string> => {
    await service.sandbox.fault(RAIL, { effect: 'cut_before', match: SEND, times: 1 });
    await service.sandbox.fault(RAIL, { effect: 'server_error', match: SEND, times: 1_000 });
    const { body } = await client.payout(ada.id, { amountCents: 6_000, currency: 'EUR' });
    await eventually(
      () => service.sandbox.faults(RAIL),
      ({ length }) => length === 1,
    );
    return body.id;
  };
  /** By then PayPal is asked and sent to again. */
  const anotherIsPaid = async (): Promise<void> => {
    const other = await newClient({ testMode: false, statusVersion: 2 });
    const grace = await other.payee({ country: 'DE', email: `${randomUUID()}@example.org` });
    await service.sandbox.does(RAIL, 'register', { email: grace.email });
    const { body } = await other.payout(grace.id, { amountCents: 1_000, currency: 'EUR' });
    await reachesStatus(other, body.id, 'paid');
  };
  const isLookedAt = (id: string): Promise<object[]> =>
    eventually(
      () => query(service.databaseUrl, DUE_OR_HELD, [id]),
      ({ length }) => length === 0,
    );
  const country = (blockedCountries: string[]) =>
    operator('PUT', '/routes', { routes: { DE: [RAIL] }, blockedCountries });

  test.each([
    [
      'the payee is blocked',
      () => operator('PATCH', `/payees/${ada.id}`, { blocked: true, blockReason: 'asked to' }),
      () => operator('PATCH', `/payees/${ada.id}`, { blocked: false }),
    ],
    ['the country is blocked', () => country(['DE']), () => country([])],
  ])('is held once %s, and paid once that is over', async (_, stop, allow) => {
    const id = await inDoubt();
    expect((await stop()).status).toBe(200);
    await service.sandbox.forgetFaults(RAIL);
    const held = await reachesStatus(client, id, 'held');
    expect([reasonOf(held), await payments()]).toEqual(['route_blocked', []]);
    expect((await allow()).status).toBe(200);
    await operator('POST', `/payouts/${id}/release`);
    await reachesStatus(client, id, 'paid');
    expect(await payments()).toHaveLength(1);
  });

  test('waits as it is while the client is suspended, and goes on afterwards', async () => {
    const id = await inDoubt();
    const status = (to: string) => operator('PATCH', `/clients/${client.id}`, { status: to });
    expect((await status('suspended')).status).toBe(200);
    await service.sandbox.forgetFaults(RAIL);
    await anotherIsPaid();
    expect((await operator('POST', `/payouts/${id}/look`)).status).toBe(200);
    await isLookedAt(id);
    const { body } = await operator('GET', `/payouts/${id}`);
    expect([body.status, await payments()]).toEqual(['submitted', []]);
    expect((await status('active')).status).toBe(200);
    await reachesStatus(client, id, 'paid');
    expect(await payments()).toHaveLength(1);
  });
});
