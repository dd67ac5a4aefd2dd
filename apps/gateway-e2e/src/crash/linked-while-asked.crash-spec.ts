/**
 * A payout of the caller's own is in doubt at PayPal, which takes its time to tell of its first batch. Meanwhile a recovery link puts rows on it, whose old
 * payout PayPal pays after all and cannot tell of: the question that may send it asks about that one first, also if it began before the link.
 */
import { randomUUID } from 'node:crypto';
import { type ApiClient, eventually, HANGS_MS, type Json, newClient, operator } from '../harness/api';
import { query } from '../harness/database';
import { reachesStatus } from '../harness/money';
import { owe, withdraw } from '../harness/owed';
import { type RailService, startRailService, stopRailService } from '../harness/rail-sandbox';

const RAIL = 'claim_rail';
const BATCHES = '/v1/payments/payouts';
const HELD = `SELECT FROM jobs WHERE name = 'payout.drive' AND entity_id = $1 AND lease_token IS NOT NULL`;

describe('a recovery link beside a question that may send', () => {
  let service: RailService;
  let client: ApiClient;
  let ada: Json;

  beforeAll(async () => {
    service = await startRailService();
    await operator('PUT', '/routes', { routes: { DE: [RAIL] } });
    client = await newClient({ testMode: false, statusVersion: 2 });
    await service.sandbox.does(RAIL, 'notices', { url: null });
    ada = await client.payee({ country: 'DE', email: `${randomUUID()}@example.org` });
    await service.sandbox.does(RAIL, 'register', { email: ada.email });
  });
  afterAll(() => stopRailService(service));

  const fund = (units: number) => service.sandbox.does(RAIL, 'fund', { currency: 'EUR', units });
  const payments = async (): Promise<Json[]> => (await service.sandbox.books(RAIL)).payments;
  const faults = (are: (left: Json[]) => boolean) => eventually(() => service.sandbox.faults(RAIL), are, 2 * HANGS_MS);

  test('pays the rows once', async () => {
    const { sandbox, databaseUrl } = service;
    await fund(0);
    const rows = await owe(client, ada.id, [6_000], { currency: 'EUR' });
    await withdraw(client, ada.id);
    const [{ id: first } = { id: '' }] = await query<{ id: string }>(databaseUrl, 'SELECT id::text FROM payouts');
    await reachesStatus(client, first, 'failed');
    const { body: second } = await client.payout(ada.id, { amountCents: 6_000, currency: 'EUR' });
    await reachesStatus(client, second.id, 'failed');
    const [ofFirst, ofSecond] = (await payments()).sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
    await fund(1_000_000);
    await sandbox.fault(RAIL, { effect: 'cut_before', match: { method: 'POST', path: BATCHES }, times: 1 });
    await operator('POST', `/payouts/${second.id}/retry`);
    await faults(({ length }) => length === 0);
    const tells = (batch: Json) => ({ method: 'GET', path: `${BATCHES}/${batch.batchId}` });
    await sandbox.does(RAIL, 'pay_after_all', { payment: ofFirst.batchId });
    await sandbox.fault(RAIL, { effect: 'server_error', match: tells(ofFirst), times: 1_000 });
    await sandbox.fault(RAIL, { effect: 'slow', match: tells(ofSecond), times: 1_000, seconds: 6 });
    await faults((left) => left.some((fault) => fault.effect === 'slow' && fault.left < 1_000));
    const link = { replacementTransactionId: second.id, disbursementIds: rows.map(({ id }) => id) };
    expect((await client.post('/disbursements/recovery-link', link)).status).toBe(200);
    await eventually(
      () => query(databaseUrl, HELD, [second.id]),
      ({ length }) => length === 0,
    );
    const moved = (await payments()).map(({ status, units }) => `${status} ${units}`).sort();
    expect(moved).toEqual(['DENIED 6000', 'SUCCESS 6000']);
  });
});
