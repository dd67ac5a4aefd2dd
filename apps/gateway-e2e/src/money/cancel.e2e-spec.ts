/** A caller takes back a payout that has not left. */
import { type ApiClient, type Json, newClient } from '../harness/api';
import { balanceOf, owe, standing, withdraw } from '../harness/owed';

describe('POST /payouts/{id}/cancel', () => {
  let client: ApiClient;
  let payee: Json;
  beforeAll(async () => {
    client = await newClient({ statusVersion: 2 });
    payee = await client.payablePayee();
  });
  const cancel = (id: string, body?: unknown, by = client) => by.post(`/payouts/${id}/cancel`, body);
  const held = async (fields: Json = {}): Promise<Json> =>
    (await client.payout(payee.id, { reason: 'mock:hold_cap_exceeded_single', ...fields })).body;

  test('ends a held payout for good, and says so again to whoever asks again', async () => {
    const payout = await held();
    const { status, body } = await cancel(payout.id);
    expect([status, body]).toEqual([
      200,
      { ...payout, status: 'failed', failureKind: 'permanent', retryable: false, updatedAt: expect.any(String) },
    ]);
    expect((await cancel(payout.id, {})).body).toEqual(body);
    const read = (await client.get(`/payouts/${payout.id}`)).body;
    expect(read.statusReason).toBe('cancelled_by_client');
    expect(read.events.at(-1)).toMatchObject({ type: 'cancel', toStatus: 'failed', actor: 'client' });
    for (const remedy of ['release', 'retry'])
      expect((await client.post(`/payouts/${payout.id}/${remedy}`)).status).toBe(409);
  });

  test('answers its idempotency key with the cancelled payout', async () => {
    const payout = await held({ idempotencyKey: 'taken-back' });
    await cancel(payout.id);
    expect(await held({ idempotencyKey: 'taken-back' })).toMatchObject({ id: payout.id, status: 'failed' });
  });

  test.each([
    ['paid', {}],
    ['pending', { reason: 'mock:pending' }],
    ['failed', { reason: 'mock:fail_transient' }],
  ])('takes nothing back that is %s', async (_, fields) => {
    const { id } = (await client.payout(payee.id, fields)).body;
    const { status, body } = await cancel(id);
    expect([status, body.error, body.message]).toEqual([409, 'payout_not_cancellable', expect.any(String)]);
  });

  test('is there for its own client, with the scope, and without a body', async () => {
    const payout = await held();
    const other = await newClient();
    expect((await cancel(payout.id, undefined, other)).body.error).toBe('payout_not_found');
    expect((await cancel('nonsense')).body.error).toBe('payout_not_found');
    const reader = await newClient({ scopes: ['payouts:read'] });
    expect((await cancel(payout.id, undefined, reader)).body.error).toBe('insufficient_scope');
    for (const body of [[], { why: 'x' }]) expect((await cancel(payout.id, body)).body.error).toBe('invalid_request');
    expect((await client.get(`/payouts/${payout.id}`)).body.status).toBe('held');
  });

  test('owes the rows of a withdrawal again', async () => {
    const person = await client.payablePayee();
    const rows = await owe(client, person.id, [60]);
    const { body } = await withdraw(client, person.id);
    expect(body.held).toBe(1);
    const [{ transactionId }] = (await client.get(`/disbursements?payeeId=${person.id}`)).body.data;
    expect((await cancel(transactionId)).status).toBe(200);
    expect(await standing(client, rows)).toEqual(['owed']);
    expect(await balanceOf(client, person.id)).toMatchObject({ withdrawableCents: 60, heldBelowMinimumCents: 0 });
    await owe(client, person.id, [60]);
    expect((await withdraw(client, person.id)).body).toMatchObject({ released: 2, releasedCents: 120 });
  });

  test('is one of many that happen at the same time', async () => {
    const payout = await held();
    const [one, two, released] = await Promise.all([
      cancel(payout.id),
      cancel(payout.id),
      client.post(`/payouts/${payout.id}/release`),
    ]);
    const after = (await client.get(`/payouts/${payout.id}`)).body;
    const isCancelled = after.statusReason === 'cancelled_by_client';
    expect([one.status, two.status, released.status]).toEqual(isCancelled ? [200, 200, 409] : [409, 409, 200]);
    expect(after.status).toBe(isCancelled ? 'failed' : 'paid');
  });
});
