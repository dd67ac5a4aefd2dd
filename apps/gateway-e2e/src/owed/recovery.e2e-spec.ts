/** A recovery link attaches rows of a failed payout to the payout that replaced it, or says exactly why not. */
import { randomUUID } from 'node:crypto';
import { type Answer, type ApiClient, eventually, type Json, newClient } from '../harness/api';
import { balanceOf, EMPTY_BALANCE, owe, payoutOf, standing, withdraw } from '../harness/owed';

const link = (client: ApiClient, replacementTransactionId: unknown, disbursementIds: unknown): Promise<Answer> =>
  client.post('/disbursements/recovery-link', { replacementTransactionId, disbursementIds });

const idsOf = (rows: Json[]): string[] => rows.map(({ id }) => id);

describe('a recovery link', () => {
  let client: ApiClient;
  let payee: Json;
  beforeAll(async () => {
    client = await newClient();
    payee = await client.payablePayee();
  });

  async function failedRows(amounts: number[], owner = payee, more = {}): Promise<Json[]> {
    const rows = await owe(client, owner.id, amounts, { reason: 'mock:fail_permanent', ...more });
    await withdraw(client, owner.id);
    return rows;
  }

  async function replacement(amountCents: number, more = {}, owner = payee): Promise<Json> {
    return (await client.payout(owner.id, { amountCents, ...more })).body;
  }

  async function expectRefused(asked: Promise<Answer>, status: number, error: string): Promise<void> {
    const answer = await asked;
    expect([answer.status, answer.body.error]).toEqual([status, error]);
  }

  test('makes the rows follow the replacement, once', async () => {
    const other = await client.payablePayee();
    const rows = await failedRows([700, 300], other);
    const old = await payoutOf(client, rows[0] as Json);
    const { id } = await replacement(1_000, { reason: 'mock:pending' }, other);
    const first = await link(client, id, idsOf(rows));
    expect([first.status, first.body]).toEqual([
      200,
      { replacementTransactionId: id, linked: 2, disbursementIds: idsOf(rows), idempotentReplay: false },
    ]);
    expect(await standing(client, rows)).toEqual(['released', 'released']);
    expect(await balanceOf(client, other.id)).toMatchObject({ ...EMPTY_BALANCE, onTheWayCents: 1_000 });
    const again = await link(client, id, idsOf(rows).reverse());
    expect([again.status, again.body]).toMatchObject([200, { linked: 0, idempotentReplay: true }]);
    await client.post(`/test/payouts/${id}/settle`);
    expect(await standing(client, rows)).toEqual(['paid', 'paid']);
    expect((await link(client, id, idsOf(rows))).body.idempotentReplay).toBe(true);
    await expectRefused(client.post(`/payouts/${old.id}/retry`), 409, 'payout_not_retryable');
    await client.post(`/test/payouts/${id}/return`, { liftingFeeCents: 10 });
    expect(await standing(client, rows)).toEqual(['returned', 'returned']);
    expect(await balanceOf(client, other.id)).toMatchObject({ ...EMPTY_BALANCE, withdrawableCents: 990 });
  });

  test('to a payout that fails after all leaves the rows owed, for the next link or withdrawal', async () => {
    const other = await client.payablePayee();
    const rows = await failedRows([1_000], other);
    const { id } = await replacement(1_000, { reason: 'mock:pending' }, other);
    await link(client, id, idsOf(rows));
    await client.post(`/test/payouts/${id}/fail`, { kind: 'transient' });
    expect(await standing(client, rows)).toEqual(['owed']);
    const next = await replacement(1_000, {}, other);
    expect((await link(client, next.id, idsOf(rows))).body).toMatchObject({ linked: 1, idempotentReplay: false });
    await expectRefused(client.post(`/payouts/${id}/retry`), 409, 'payout_not_retryable');
    expect(await balanceOf(client, other.id)).toMatchObject({ ...EMPTY_BALANCE, landedCents: 1_000 });
  });

  test.each<[string, Json]>([
    ['no body', undefined],
    ['no list', { replacementTransactionId: randomUUID() }],
    ['an empty list', { replacementTransactionId: randomUUID(), disbursementIds: [] }],
    [
      'a list of 501',
      { replacementTransactionId: randomUUID(), disbursementIds: Array.from({ length: 501 }, randomUUID) },
    ],
    ['text for a list', { replacementTransactionId: randomUUID(), disbursementIds: randomUUID() }],
    ['an id that is none', { replacementTransactionId: randomUUID(), disbursementIds: ['row-1'] }],
    ['a number', { replacementTransactionId: randomUUID(), disbursementIds: [1] }],
    ['a replacement that is no id', { replacementTransactionId: 'tx', disbursementIds: [randomUUID()] }],
    ['more', { replacementTransactionId: randomUUID(), disbursementIds: [randomUUID()], force: true }],
  ])('with %s is no request', async (_, body) => {
    await expectRefused(client.post('/disbursements/recovery-link', body), 400, 'invalid_request');
  });

  test('names each row once', async () => {
    const id = randomUUID();
    await expectRefused(link(client, randomUUID(), [id, id.toUpperCase()]), 400, 'invalid_disbursement_ids');
  });

  test('needs a replacement and rows that are there, and the caller’s', async () => {
    const other = await newClient();
    const rows = await failedRows([200]);
    const { id } = await replacement(200);
    await expectRefused(link(client, randomUUID(), idsOf(rows)), 404, 'replacement_transaction_not_found');
    await expectRefused(link(other, id, idsOf(rows)), 404, 'replacement_transaction_not_found');
    await expectRefused(link(client, id, [...idsOf(rows), randomUUID()]), 404, 'disbursement_not_found');
  });

  test('waits for a withdrawal that is under way', async () => {
    const rows = await owe(client, payee.id, [200], { reason: 'mock:pending', currency: 'CHF' });
    await withdraw(client, payee.id);
    const failed = await replacement(200, { reason: 'mock:fail_permanent', currency: 'CHF' });
    await expectRefused(link(client, failed.id, idsOf(rows)), 409, 'withdrawal_in_progress');
  });

  test.each(['mock:fail_transient', 'mock:fail_permanent', 'mock:insufficient_funds', 'mock:return'])(
    'needs a replacement that moves money: not %s',
    async (reason) => {
      const other = await client.payablePayee();
      const rows = await failedRows([300], other);
      const { id } = await replacement(300, { reason }, other);
      await eventually(
        () => client.get(`/payouts/${id}`),
        ({ body }) => body.status !== 'paid',
      );
      await expectRefused(link(client, id, idsOf(rows)), 409, 'replacement_transaction_not_active');
    },
  );

  test('needs rows of the replacement’s payee and currency', async () => {
    const [one, two] = [await client.payablePayee(), await client.payablePayee()];
    const rows = await failedRows([300], one);
    await expectRefused(link(client, (await replacement(300, {}, two)).id, idsOf(rows)), 409, 'recovery_link_mismatch');
    const inEuro = await replacement(300, { currency: 'EUR' }, one);
    await expectRefused(link(client, inEuro.id, idsOf(rows)), 409, 'recovery_link_mismatch');
  });

  test('takes no rows that are linked to another replacement, and no replacement that pays other rows', async () => {
    const other = await client.payablePayee();
    const rows = await failedRows([300], other);
    const [first, second] = [await replacement(300, {}, other), await replacement(300, {}, other)];
    expect((await link(client, first.id, idsOf(rows))).status).toBe(200);
    await expectRefused(link(client, second.id, idsOf(rows)), 409, 'recovery_link_conflict');
    const more = await failedRows([300], other);
    await expectRefused(link(client, first.id, idsOf(more)), 409, 'recovery_link_conflict');
  });

  test('takes no payout of other owed rows for a replacement', async () => {
    const other = await client.payablePayee();
    const paid = await owe(client, other.id, [300]);
    await withdraw(client, other.id);
    const { id } = await payoutOf(client, paid[0] as Json);
    await expectRefused(link(client, id, idsOf(await failedRows([300], other))), 409, 'recovery_link_conflict');
  });

  test('takes only rows whose last payout failed', async () => {
    const other = await client.payablePayee();
    const never = await owe(client, other.id, [300]);
    const { id } = await replacement(300, {}, other);
    await expectRefused(link(client, id, idsOf(never)), 409, 'superseded_transaction_not_failed');
    await withdraw(client, other.id);
    await expectRefused(link(client, id, idsOf(never)), 409, 'superseded_transaction_not_failed');
  });

  test('must come to the amount of the replacement, to the cent', async () => {
    const other = await client.payablePayee();
    const rows = await failedRows([300, 200], other);
    const { id } = await replacement(499, {}, other);
    await expectRefused(link(client, id, idsOf(rows)), 409, 'recovery_link_amount_mismatch');
    await expectRefused(link(client, id, idsOf(rows.slice(1))), 409, 'recovery_link_amount_mismatch');
    expect(await standing(client, rows)).toEqual(['owed', 'owed']);
  });
});
