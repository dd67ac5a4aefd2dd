/**
 * Rows were refused by PayPal, and leave with one more under another code. PayPal is out just then: it never got that one, and when it is back it pays the
 * first one after all. The other one is sent by a question (ADR 82) then, and not before the rail was asked about the old code once more, as it would
 * be before a send (point 2; ADR 87: what keeps a payout from being sent keeps it from a question that may send it).
 */
import { randomUUID } from 'node:crypto';
import { type ApiClient, eventually, HANGS_MS, type Json, newClient, operator } from '../harness/api';
import { readPayout } from '../harness/money';
import { newestPayout, owe, withdraw } from '../harness/owed';
import { type RailService, startRailService, stopRailService } from '../harness/rail-sandbox';

const RAIL = 'claim_rail';
const SEND = { method: 'POST', path: '/v1/payments/payouts' };

describe('rows that are in doubt at PayPal under their second code', () => {
  let service: RailService;
  let client: ApiClient;
  let ada: Json;

  beforeAll(async () => {
    service = await startRailService();
    await operator('PUT', '/routes', { routes: { DE: [RAIL] } });
    client = await newClient({ testMode: false, statusVersion: 2 });
    await service.sandbox.does(RAIL, 'notices', { url: null }); // it tells nothing by itself, or late
  });
  afterAll(() => stopRailService(service));
  beforeEach(async () => {
    ada = await client.payee({ country: 'DE', email: `${randomUUID()}@example.org` });
    await service.sandbox.does(RAIL, 'register', { email: ada.email });
  });

  const fund = (units: number) => service.sandbox.does(RAIL, 'fund', { currency: 'EUR', units });
  const payments = async (): Promise<Json[]> =>
    (await service.sandbox.books(RAIL)).payments.filter(({ receiver }: Json) => receiver === ada.email);
  const newest = () => newestPayout(service.databaseUrl);

  /** PayPal is out from the next send on. */
  const isOut = async (): Promise<void> => {
    await service.sandbox.fault(RAIL, { effect: 'cut_before', match: SEND, times: 1 });
    await service.sandbox.fault(RAIL, { effect: 'server_error', match: SEND, times: 1_000 });
  };
  const isInDoubt = () =>
    eventually(
      () => service.sandbox.faults(RAIL),
      ({ length }) => length === 1,
    );
  /** While it is still out; and then it is back, and is asked about the second payout. */
  const paysAfterAll = async (denied: Json | undefined, second: string): Promise<Json> => {
    await service.sandbox.does(RAIL, 'pay_after_all', { payment: denied?.batchId });
    await service.sandbox.forgetFaults(RAIL);
    expect((await operator('POST', `/payouts/${second}/look`)).status).toBe(200);
    const { body } = await eventually(
      () => operator('GET', `/payouts/${second}`),
      ({ body: { status } }) => status !== 'submitted',
      2 * HANGS_MS, // what was sent may be under way for 45 seconds
    );
    return body;
  };
  const cannotTell = (denied: Json | undefined) => {
    const match = { method: 'GET', path: `/v1/payments/payouts/${denied?.batchId}` };
    return service.sandbox.fault(RAIL, { effect: 'server_error', match, times: 1_000 });
  };
  const deniedRow = async (): Promise<{ first: string; rows: Json[]; denied: Json | undefined }> => {
    await fund(0);
    const rows = await owe(client, ada.id, [6_000], { currency: 'EUR' });
    await withdraw(client, ada.id);
    const first = await newest();
    await eventually(
      () => readPayout(client, first),
      ({ status }) => status === 'failed',
    );
    await fund(1_000_000);
    return { first, rows, denied: (await payments())[0] };
  };
  const moved = async (): Promise<string[]> => (await payments()).map(({ status, units }) => `${status} ${units}`);

  test('leave once', async () => {
    const { first, denied } = await deniedRow();
    await isOut();
    await owe(client, ada.id, [5_000], { currency: 'EUR' });
    await withdraw(client, ada.id);
    const second = await newest();
    expect(second).not.toBe(first);
    await isInDoubt();
    await cannotTell(denied);
    const { status } = await paysAfterAll(denied, second);
    expect([status, await moved()]).toEqual(['held', ['SUCCESS 6000']]);
  });

  test('leave once, also if a recovery link put them there', async () => {
    const { rows, denied } = await deniedRow();
    await isOut();
    const { body: second } = await client.payout(ada.id, { amountCents: 6_000, currency: 'EUR' });
    await isInDoubt();
    await cannotTell(denied);
    const link = { replacementTransactionId: second.id, disbursementIds: rows.map(({ id }) => id) };
    expect((await client.post('/disbursements/recovery-link', link)).status).toBe(200);
    const { status } = await paysAfterAll(denied, second.id);
    expect([status, await moved()]).toEqual(['held', ['SUCCESS 6000']]);
  });
});
