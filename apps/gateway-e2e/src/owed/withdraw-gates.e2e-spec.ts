/** What keeps a withdrawal from happening, in the documented order; nothing is released then. */
import { randomUUID } from 'node:crypto';
import { type ApiClient, type Json, newClient, operator } from '../harness/api';
import { deposit, prepaidClient } from '../harness/money';
import { balanceOf, owe, standing, withdraw } from '../harness/owed';

const policy = (withdrawPolicy: Record<string, unknown>): Promise<ApiClient> => newClient({ withdrawPolicy });

async function refused(client: ApiClient, payeeId: string): Promise<[number, string]> {
  const { status, body } = await withdraw(client, payeeId);
  return [status, body.error];
}

describe('a withdrawal', () => {
  test('of nothing is refused', async () => {
    const client = await newClient();
    const payee = await client.payablePayee();
    expect(await refused(client, payee.id)).toEqual([409, 'nothing_to_withdraw']);
  });

  test('of a closed client is refused, and nothing else of it is answered', async () => {
    const client = await newClient({ withdrawPolicy: { enabled: false } });
    const payee = await client.payablePayee();
    await operator('PATCH', `/clients/${client.id}`, { status: 'suspended' });
    expect(await refused(client, payee.id)).toEqual([403, 'client_suspended']);
    await operator('PATCH', `/clients/${client.id}`, { status: 'closed' });
    expect(await refused(client, payee.id)).toEqual([409, 'payer_not_found']);
    expect((await client.get(`/payees/${payee.id}/balance`)).body.error).toBe('client_suspended');
  });

  test('needs a payable payee', async () => {
    const client = await newClient();
    const payee = await client.payee();
    const rows = await owe(client, payee.id, [1_000]);
    expect(await refused(client, payee.id)).toEqual([409, 'payee_not_payable']);
    expect(await standing(client, rows)).toEqual(['owed']);
  });

  test.each<[string, Record<string, unknown>]>([
    ['for all', { enabled: false }],
    ['for calls', { perSource: { withdraw: { enabled: false } } }],
  ])('can be disabled %s', async (_, limits) => {
    const client = await policy(limits);
    const payee = await client.payee();
    expect(await refused(client, payee.id)).toEqual([409, 'withdrawals_disabled']);
  });

  test('is let through where its own source says so', async () => {
    const client = await policy({ enabled: false, perSource: { withdraw: { enabled: true } } });
    const payee = await client.payablePayee();
    await owe(client, payee.id, [1_000]);
    expect((await withdraw(client, payee.id)).status).toBe(200);
  });

  test('must reach the minimum, and not pass the maximum', async () => {
    const client = await policy({ minCents: 1_000, maxCents: 2_000 });
    const payee = await client.payablePayee();
    await owe(client, payee.id, [999]);
    expect(await refused(client, payee.id)).toEqual([409, 'below_minimum_withdrawal']);
    const [, cent] = [await owe(client, payee.id, [1_001]), await owe(client, payee.id, [1])];
    expect(await refused(client, payee.id)).toEqual([409, 'above_maximum_withdrawal']);
    expect(await standing(client, cent)).toEqual(['owed']);
  });

  test('never passes the maximum, whatever is pushed at the same moment', async () => {
    const client = await policy({ maxCents: 1_000 });
    for (let turn = 0; turn < 8; turn += 1) {
      const payee = await client.payablePayee();
      await owe(client, payee.id, [1_000]);
      const pushes = Array.from({ length: 4 }, () => owe(client, payee.id, [1_000]));
      const answers = await Promise.all(Array.from({ length: 3 }, () => withdraw(client, payee.id)));
      await Promise.all(pushes);
      for (const { status, body } of answers)
        expect(status === 200 ? body.releasedCents <= 1_000 : body.error).toEqual(
          status === 200 || expect.stringMatching(/^(above_maximum_withdrawal|nothing_to_withdraw)$/),
        );
    }
  });

  test('looks at what a wallet covers: not under the minimum, and not over the maximum', async () => {
    const client = await prepaidClient(400, { withdrawPolicy: { minCents: 500, maxCents: 1_000 } });
    const payee = await client.payablePayee();
    const rows = await owe(client, payee.id, [300, 400, 300, 200]);
    expect((await withdraw(client, payee.id)).body).toMatchObject({ released: 0, awaitingFunding: 4 });
    await deposit(client, 400);
    expect((await withdraw(client, payee.id)).body).toMatchObject({
      released: 2,
      releasedCents: 700,
      awaitingFunding: 2,
    });
    expect(await standing(client, rows)).toEqual(['paid', 'paid', 'owed', 'owed']);
    await deposit(client, 10_000);
    await owe(client, payee.id, [600]);
    expect(await refused(client, payee.id)).toEqual([409, 'above_maximum_withdrawal']);
  });

  test('that is too soon says first what is wrong with the amount, out of a wallet too', async () => {
    const limits = { minCents: 500, maxCents: 1_000, minIntervalSeconds: 3_600 };
    for (const client of [await policy(limits), await prepaidClient(100_000, { withdrawPolicy: limits })]) {
      const payee = await client.payablePayee();
      await owe(client, payee.id, [600]);
      expect((await withdraw(client, payee.id)).body.released).toBe(1);
      const rows = await owe(client, payee.id, [100]);
      expect(await refused(client, payee.id)).toEqual([409, 'below_minimum_withdrawal']);
      rows.push(...(await owe(client, payee.id, [500])));
      expect(await refused(client, payee.id)).toEqual([409, 'withdrawal_frequency_limited']);
      rows.push(...(await owe(client, payee.id, [5_000])));
      expect(await refused(client, payee.id)).toEqual([409, 'above_maximum_withdrawal']);
      expect(await standing(client, rows)).toEqual(['owed', 'owed', 'owed']);
    }
  });

  test('of more than one payout can be releases the oldest rows, and then the next', async () => {
    const most = 100_000_000_000;
    const client = await newClient({ caps: { singleCents: most, dailyCents: most } });
    const payee = await client.payablePayee();
    const rows = await owe(client, payee.id, [most - 1, 1, most]);
    expect((await withdraw(client, payee.id)).body).toMatchObject({
      released: 2,
      releasedCents: most,
      awaitingFunding: 0,
    });
    expect(await standing(client, rows)).toEqual(['paid', 'paid', 'owed']);
    expect((await withdraw(client, payee.id)).body).toMatchObject({ released: 0, held: 1 }); // today's cap is used up
  });

  test('releases the currencies that are within the limits, and leaves the others', async () => {
    const client = await policy({ minCents: 1_000 });
    const payee = await client.payablePayee();
    const small = await owe(client, payee.id, [999]);
    const large = await owe(client, payee.id, [1_000], { currency: 'EUR' });
    expect((await withdraw(client, payee.id)).body).toMatchObject({ released: 1, releasedCents: 1_000 });
    expect(await standing(client, [...small, ...large])).toEqual(['owed', 'paid']);
  });

  test('is limited in how often it happens, and one that failed does not count', async () => {
    const client = await policy({ minIntervalSeconds: 3_600 });
    const payee = await client.payablePayee();
    await owe(client, payee.id, [1_000], { reason: 'mock:fail_once' });
    expect((await withdraw(client, payee.id)).body).toMatchObject({ failed: 1 });
    expect((await withdraw(client, payee.id)).body).toMatchObject({ released: 1 });
    await owe(client, payee.id, [500]);
    expect(await refused(client, payee.id)).toEqual([409, 'withdrawal_frequency_limited']);
    expect((await balanceOf(client, payee.id)).withdrawableCents).toBe(500);
  });

  test('is for the payees of the caller, with the scope for it', async () => {
    const [client, other] = await Promise.all([newClient(), newClient()]);
    const payee = await client.payablePayee();
    await owe(client, payee.id, [1_000]);
    expect(await refused(other, payee.id)).toEqual([404, 'payee_not_found']);
    expect(await refused(client, randomUUID())).toEqual([404, 'payee_not_found']);
    expect(await refused(client, 'no-id')).toEqual([404, 'payee_not_found']);
    const reader = await newClient({ scopes: ['disbursements:read', 'payees:read', 'payouts:write'] });
    expect(await refused(reader, payee.id)).toEqual([403, 'insufficient_scope']);
    expect((await client.post(`/payees/${payee.id}/withdraw`, { amountCents: 5 })).body.error).toBe('invalid_request');
    const inOne = await client.post(`/payees/${payee.id}/withdraw?currency=GBP`);
    expect([inOne.status, inOne.body.error]).toEqual([400, 'invalid_request']);
    expect((await client.post(`/payees/${payee.id}/withdraw`, {})).status).toBe(200);
  });

  test('of a blocked payee is held, and goes on when the block is lifted', async () => {
    const client = await newClient();
    const payee = await client.payablePayee();
    const rows = await owe(client, payee.id, [1_000]);
    await operator('PATCH', `/payees/${payee.id}`, { blocked: true, blockReason: 'sanctions' });
    expect((await withdraw(client, payee.id)).body).toMatchObject({ released: 0, held: 1 });
    await operator('PATCH', `/payees/${payee.id}`, { blocked: false });
    const { body } = await client.get(`/disbursements/${(rows[0] as Json).id}`);
    expect((await client.post(`/payouts/${body.transactionId}/release`)).body.status).toBe('paid');
  });
});
