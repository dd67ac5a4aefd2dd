/** PayPal denies a batch, the payout is tried again, and PayPal pays the first batch after all, which it tells by a signed notice: it is paid once. */
import { randomUUID } from 'node:crypto';
import { type ApiClient, eventually, type Json, newClient, operator } from '../harness/api';
import { query } from '../harness/database';
import { readPayout } from '../harness/money';
import { newestPayout, owe, standing, withdraw } from '../harness/owed';
import { type RailService, startRailService, stopRailService } from '../harness/rail-sandbox';

const RAIL = 'claim_rail';

describe('claim_rail, whose PayPal pays an earlier batch after it denied that', () => {
  let service: RailService;
  let client: ApiClient;
  let ada: Json;

  beforeAll(async () => {
    service = await startRailService();
    await operator('PUT', '/routes', { routes: { DE: [RAIL] } });
    client = await newClient({ testMode: false, statusVersion: 2 });
  });
  afterAll(() => stopRailService(service));
  beforeEach(async () => {
    ada = await client.payee({ country: 'DE', email: `${randomUUID()}@example.org` });
    await service.sandbox.does(RAIL, 'register', { email: ada.email });
    await fund(0);
  });

  const fund = (units: number) => service.sandbox.does(RAIL, 'fund', { currency: 'EUR', units });
  const reads = (id: string, status: string): Promise<Json> =>
    eventually(
      () => readPayout(client, id),
      (payout) => payout.status === status,
    );
  const payments = async (): Promise<Json[]> =>
    (await service.sandbox.books(RAIL)).payments.filter(({ receiver }: Json) => receiver === ada.email);
  const moved = async (): Promise<number> =>
    (await payments()).filter(({ status }) => status === 'SUCCESS').reduce((sum, { units }) => sum + units, 0);
  const denied = async (id: string, times: number): Promise<void> => {
    await eventually(payments, (all) => all.filter(({ status }) => status === 'DENIED').length === times);
    await reads(id, 'failed');
  };
  const deniedTwice = async (id: string): Promise<void> => {
    await denied(id, 1);
    expect((await operator('POST', `/payouts/${id}/retry`)).status).toBe(200);
    await denied(id, 2);
  };
  const firstIsPaid = async (): Promise<void> => {
    const [first] = (await payments()).sort((one, other) => one.senderBatchId.length - other.senderBatchId.length);
    await fund(1_000_000);
    await service.sandbox.does(RAIL, 'pay_after_all', { payment: first?.batchId });
  };

  test('a payout of the caller is paid by that, whoever tries it again', async () => {
    const { body } = await client.payout(ada.id, { amountCents: 6_000, currency: 'EUR' });
    await deniedTwice(body.id);
    await firstIsPaid();
    await operator('POST', `/payouts/${body.id}/retry`);
    await reads(body.id, 'paid');
    expect(await moved()).toBe(6_000);
  });

  test('rows are paid by that, and another one by a payout of its own', async () => {
    const rows = await owe(client, ada.id, [6_000], { currency: 'EUR' });
    await withdraw(client, ada.id);
    const first = await newestPayout(service.databaseUrl);
    await deniedTwice(first);
    await firstIsPaid();
    const more = await owe(client, ada.id, [5_000], { currency: 'EUR' });
    await withdraw(client, ada.id);
    await eventually(
      () => standing(client, [...rows, ...more]),
      (all) => all.every((one) => one === 'paid'),
    );
    expect(await moved()).toBe(11_000);
  });

  describe('while the next one is paid, and nobody here heard of it', () => {
    afterEach(() => service.sandbox.forgetFaults(RAIL));

    /** `isSilent`: from then on PayPal says nothing of either, until it does again. */
    const bothOut = async (id: string, isSilent = false): Promise<void> => {
      await denied(id, 1);
      await fund(1_000_000);
      const match = { method: 'POST', path: '/v1/payments/payouts' };
      await service.sandbox.fault(RAIL, { effect: 'cut_after', match, times: 1 });
      await service.sandbox.fault(RAIL, { effect: 'server_error', match, times: 1_000 });
      await operator('POST', `/payouts/${id}/retry`);
      await eventually(payments, (all) => all.length === 2);
      const asked = { method: 'GET', path: match.path };
      if (isSilent) await service.sandbox.fault(RAIL, { effect: 'server_error', match: asked, times: 1_000 });
      await firstIsPaid();
    };
    const lines = (id: string) =>
      query<Json>(service.databaseUrl, 'SELECT kind, rail_cents FROM drift WHERE payout_id = $1', [id]);

    test('both are named', async () => {
      const { body } = await client.payout(ada.id, { amountCents: 6_000, currency: 'EUR' });
      await bothOut(body.id);
      const named = await eventually(
        () => lines(body.id),
        ({ length }) => length > 0,
      );
      expect(named).toEqual([{ kind: 'amount_differs', rail_cents: 12_000 }]);
    });

    test('that it came back says nothing of the next one, and nothing leaves beside that', async () => {
      const rows = await owe(client, ada.id, [6_000], { currency: 'EUR' });
      await withdraw(client, ada.id);
      const payout = await newestPayout(service.databaseUrl);
      // Whoever asked before it came back would hear that both are out, and somebody has to look there.
      await bothOut(payout, true);
      const [first] = (await payments()).sort((one, other) => one.senderBatchId.length - other.senderBatchId.length);
      await service.sandbox.does(RAIL, 'refund', { payment: first?.batchId });
      await service.sandbox.forgetFaults(RAIL);
      await eventually(
        () => standing(client, rows),
        ([one]) => one === 'paid',
      );
      expect([await moved(), (await payments()).length]).toEqual([6_000, 2]);
    });
  });

  test('nothing is sent beside it while PayPal cannot be asked', async () => {
    const { body } = await client.payout(ada.id, { amountCents: 6_000, currency: 'EUR' });
    await denied(body.id, 1);
    const [{ batchId } = {} as Json] = await payments();
    const match = { method: 'GET', path: `/v1/payments/payouts/${batchId}` };
    await service.sandbox.fault(RAIL, { effect: 'server_error', match, times: 1_000 });
    await firstIsPaid();
    await operator('POST', `/payouts/${body.id}/retry`);
    await service.sandbox.forgetFaults(RAIL);
    await reads(body.id, 'paid');
    expect([await moved(), (await payments()).length]).toEqual([6_000, 1]);
  });
});
