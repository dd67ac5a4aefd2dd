/** Money that a rail moved for what ended here: it is named, its rows wait, and an operator closes it. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '#libs/domain';
import { type ApiClient, type Json, newClient, operator, underTest } from '../harness/api';
import { query } from '../harness/database';
import { brokenInvariants, RAILS_KEPT_HERE } from '../harness/invariants';
import { atTheRail, deposit, payeeWithAccount, putRoutes, reachesStatus, readPayout, runJob } from '../harness/money';
import { balanceOf, owe, standing, withdraw } from '../harness/owed';

const settledNow = (): Json => ({ state: 'settled', settledAt: systemClock.now().toISOString() });

describe('disputes', () => {
  let client: ApiClient;
  let payee: Json;
  beforeAll(putRoutes);
  beforeEach(async () => {
    client = await newClient();
    payee = await client.payablePayee();
  });

  /** Rows whose payout failed for good, while its rail moved the money. */
  const disputed = async (amounts: number[]): Promise<{ rows: Json[]; payoutId: string }> => {
    const rows = await owe(client, payee.id, amounts, { reason: 'mock:fail_permanent' });
    await withdraw(client, payee.id);
    const payoutId = (await client.get(`/disbursements/${rows[0]?.id}`)).body.transactionId;
    await atTheRail(payoutId, settledNow());
    return { rows, payoutId };
  };
  const openDrift = async (payoutId: string): Promise<Json> =>
    (await operator('GET', '/drift?open=true')).body.data.find((row: Json) => row.payoutId === payoutId);
  const resolve = (id: string, body?: Json) => operator('POST', `/drift/${id}/resolve`, body);

  test('a withdrawal asks about the payout that failed, and leaves its rows alone until the operator has looked', async () => {
    const { rows, payoutId } = await disputed([4_000, 2_000]);
    const refused = await withdraw(client, payee.id);
    expect([refused.status, refused.body.error]).toEqual([409, 'nothing_to_withdraw']);
    expect(refused.body.message).toContain('rail');
    expect((await readPayout(client, payoutId)).status).toBe('failed');
    const drift = await openDrift(payoutId);
    expect(drift).toMatchObject({ kind: 'not_paid_here', railCents: 6_000, resolvedBy: null, note: null });
    // New money leaves without them.
    await owe(client, payee.id, [500]);
    expect((await withdraw(client, payee.id)).body).toMatchObject({ released: 1, releasedCents: 500 });
    expect(await standing(client, rows)).toEqual(['owed', 'owed']);
    expect((await operator('GET', `/drift/${drift.id}`)).body).toEqual(drift);
    const resolved = await resolve(drift.id, { note: 'recovered from the bank' });
    expect([resolved.status, resolved.body]).toMatchObject([
      200,
      { resolvedBy: 'root', note: 'recovered from the bank' },
    ]);
    expect(resolved.body.resolvedAt).not.toBeNull();
    // What was resolved is not raised again, and the rows are free.
    await runJob('reconcile');
    expect(await openDrift(payoutId)).toBeUndefined();
    expect((await withdraw(client, payee.id)).status).toBe(200);
    const again = (await client.get(`/disbursements/${rows[0]?.id}`)).body.transactionId;
    expect(again).not.toBe(payoutId);
    expect(await readPayout(client, again)).toMatchObject({ amountCents: 6_000, source: 'withdraw' });
    const audit = (await operator('GET', '/audit?limit=100')).body.data;
    expect(audit.find(({ action, target }: Json) => action === 'drift.resolved' && target === drift.id)).toMatchObject({
      actor: 'root',
      after: { payoutId, rows: 'owed' },
    });
  });

  test('rows that the operator calls paid are settled, and never leave again', async () => {
    const { rows, payoutId } = await disputed([4_000]);
    await withdraw(client, payee.id);
    const drift = await openDrift(payoutId);
    expect((await resolve(drift.id, { rows: 'paid' })).status).toBe(200);
    expect(await standing(client, rows)).toEqual(['paid']);
    expect(await balanceOf(client, payee.id)).toMatchObject({ withdrawableCents: 0, landedCents: 4_000 });
    expect((await withdraw(client, payee.id)).body.error).toBe('nothing_to_withdraw');
  });

  test('is closed once, by an operator of the role, with a body that makes sense', async () => {
    const { payoutId } = await disputed([4_000]);
    await runJob('reconcile');
    const { id } = await openDrift(payoutId);
    const viewer = (await operator('POST', '/operators', { name: `v-${randomUUID()}`, role: 'viewer' })).body.token;
    expect((await operator('POST', `/drift/${id}/resolve`, {}, viewer)).body.error).toBe('insufficient_role');
    for (const wrong of [{ rows: 'gone' }, { note: 1 }, { more: true }])
      expect((await resolve(id, wrong)).body.error).toBe('invalid_request');
    expect((await resolve(randomUUID())).body.error).toBe('drift_not_found');
    expect((await operator('GET', `/drift/${randomUUID()}`)).body.error).toBe('drift_not_found');
    const answers = await Promise.all(Array.from({ length: 5 }, () => resolve(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    expect(await brokenInvariants({ clientId: client.id, dailyCents: 2_500_000, pushedCents: 4_000 })).toEqual([
      expect.stringContaining('the rail moved what is not paid'),
    ]);
  });

  test('money of a payout of the caller’s own counts as landed and spent once it is called paid, and as neither once it came back', async () => {
    const prepaid = await newClient({ prepaid: true });
    await deposit(prepaid, 10_000);
    const ada = await prepaid.payablePayee();
    const { id } = (await prepaid.payout(ada.id, { amountCents: 4_000, reason: 'mock:fail_permanent' })).body;
    await atTheRail(id, settledNow());
    await runJob('reconcile');
    const found = await openDrift(id);
    const paid = await resolve(found.id, { rows: 'paid', note: 'the payee has it' });
    expect([paid.status, paid.body.liftingFeeCents]).toEqual([200, null]);
    expect(await balanceOf(prepaid, ada.id)).toMatchObject({ withdrawableCents: 0, landedCents: 4_000 });
    expect((await prepaid.get('/wallet')).body).toMatchObject([{ availableCents: 6_000 }]);
    const payout = await readPayout(prepaid, id);
    expect(payout).toMatchObject({ status: 'failed', failureKind: 'permanent' });
    expect(payout.statusReason).toMatch(/^paid_after_all: /);
    const { body: given } = await operator('POST', `/payouts/${id}/fail`, { reason: 'once more' });
    expect(given).toMatchObject({ status: 'failed', statusReason: 'paid_after_all: once more' });
    expect(payout.events.at(-1)).toMatchObject({ type: 'found_landed', actor: 'operator' });
    const unbroken = { clientId: prepaid.id, dailyCents: 2_500_000, leaveOut: [RAILS_KEPT_HERE] };
    expect(await brokenInvariants(unbroken)).toEqual([]);
    await atTheRail(id, { state: 'bounced', feeCents: 25 });
    await prepaid.post(`/payouts/${id}/retry`); // asks the rail
    const back = await openDrift(id);
    expect(back).toMatchObject({ kind: 'amount_differs', liftingFeeCents: 25 });
    expect((await resolve(back.id, { rows: 'owed' })).status).toBe(200);
    expect(await balanceOf(prepaid, ada.id)).toMatchObject({ withdrawableCents: 0, landedCents: 0 });
    expect((await prepaid.get('/wallet')).body).toMatchObject([{ availableCents: 9_975 }]);
    expect(await brokenInvariants(unbroken)).toEqual([]);
    const audit = (await operator('GET', '/audit?limit=100')).body.data;
    const deeds = audit.filter(({ target }: Json) => [found.id, back.id].includes(target));
    expect(deeds.map(({ action, after }: Json) => [action, after?.rows])).toEqual([
      ['drift.resolved', 'owed'],
      ['drift.resolve_asked', undefined],
      ['drift.resolved', 'paid'],
      ['drift.resolve_asked', undefined],
    ]);
  });

  test('rows that were called paid, and whose money came back, are owed again and leave', async () => {
    const { rows, payoutId } = await disputed([4_000]);
    await withdraw(client, payee.id);
    await resolve((await openDrift(payoutId)).id, { rows: 'paid' });
    const unbroken = { clientId: client.id, dailyCents: 2_500_000, pushedCents: 4_000, leaveOut: [RAILS_KEPT_HERE] };
    expect(await brokenInvariants(unbroken)).toEqual([]);
    await atTheRail(payoutId, { state: 'bounced', feeCents: 25 });
    await client.post(`/payouts/${payoutId}/retry`); // asks the rail
    const { id } = await openDrift(payoutId);
    const answers = await Promise.all(Array.from({ length: 5 }, () => resolve(id, { rows: 'owed' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    expect(await standing(client, rows)).toEqual(['owed']);
    expect(await balanceOf(client, payee.id)).toMatchObject({ withdrawableCents: 4_000, landedCents: 0 });
    expect(await brokenInvariants(unbroken)).toEqual([]);
    await withdraw(client, payee.id);
    expect((await client.get(`/disbursements/${rows[0]?.id}`)).body.transactionId).not.toBe(payoutId);
  });

  test('a notice about a payout that failed for now lets it go on', async () => {
    const live = await newClient({ testMode: false });
    const french = await payeeWithAccount(live, 'custodial_a', undefined, { country: 'FR' });
    const { id } = (await live.payout(french.id, { reason: 'mock:fail_transient' })).body;
    await reachesStatus(live, id, 'failed');
    await atTheRail(id, settledNow());
    // As a hint or a notice would: a job asks the rail.
    await query(
      underTest().databaseUrl,
      `INSERT INTO jobs (name, entity_id, lane) VALUES ('payout.look', $1, 'custodial_a')
       ON CONFLICT (name, entity_id) DO UPDATE SET run_at = now()`,
      [id],
    );
    await reachesStatus(live, id, 'paid');
  });

  test('what is moved for a payout that failed for now is found by the schedule, and paid', async () => {
    const { id } = (await client.payout(payee.id, { reason: 'mock:fail_transient' })).body;
    await atTheRail(id, settledNow());
    await runJob('reconcile');
    await reachesStatus(client, id, 'paid');
    expect(await openDrift(id)).toBeUndefined();
  });

  test('operators see what a payout pays to; callers do not', async () => {
    const live = await newClient({ testMode: false });
    const german = await live.payee({ country: 'DE', email: 'first@example.com' });
    const { id } = (await live.payout(german.id)).body;
    await live.post('/payees', { externalId: german.externalId, email: 'second@example.com' });
    await reachesStatus(live, id, 'submitted');
    const seen = (await operator('GET', `/payouts/${id}`)).body;
    expect(seen.destination).toEqual({
      accountId: null,
      email: 'first@example.com',
      name: 'Ada Lovelace',
      country: 'DE',
      payerName: (await operator('GET', `/clients/${live.id}`)).body.name,
    });
    expect([seen.attempts, seen.railFee]).toEqual([1, null]);
    await atTheRail(id, settledNow());
    await reachesStatus(live, id, 'paid');
    expect((await operator('GET', `/payouts/${id}`)).body.railFee).toEqual({ amountCents: 25, currency: 'USD' });
    for (const field of ['destination', 'railFee', 'railFeeCents'])
      expect(await readPayout(live, id)).not.toHaveProperty(field);
    const nameless = (await live.payout((await live.payee({ country: 'DE', email: null })).id)).body;
    expect((await operator('GET', `/payouts/${nameless.id}`)).body.destination).toBeNull();
  });

  test('the payouts of a suspended client wait, and go on when it is active again', async () => {
    const live = await newClient({ testMode: false });
    const german = await live.payee({ country: 'DE', email: null });
    const { id } = (await live.payout(german.id)).body;
    await live.post('/payees', { externalId: german.externalId, email: 'ada@example.com' });
    const set = (status: string) => operator('PATCH', `/clients/${live.id}`, { status });
    await set('suspended');
    const refused = await operator('POST', `/payouts/${id}/release`);
    expect([refused.status, refused.body.error]).toEqual([409, 'payout_not_releasable']);
    await set('active');
    expect((await operator('POST', `/payouts/${id}/release`)).status).toBe(200);
    await reachesStatus(live, id, 'submitted');
  });

  test('an operator’s deed is in the log with its intent before and its outcome after, and a refusal as one', async () => {
    const { id } = (await client.payout(payee.id, { reason: 'mock:fail_once' })).body;
    await operator('POST', `/payouts/${id}/retry`);
    await operator('POST', `/payouts/${id}/retry`);
    await operator('POST', `/payouts/${id}/fail`);
    const { body } = await operator('GET', `/audit?clientId=${client.id}`);
    const mine = body.data.filter(({ target }: Json) => target === id).reverse();
    expect(mine.map(({ action, after }: Json) => [action, after?.status ?? after?.error ?? null])).toEqual([
      ['payout.retry_asked', null],
      ['payout.retried', 'paid'],
      ['payout.retry_asked', null],
      ['payout.retry_refused', 'payout_not_retryable'],
      ['payout.fail_asked', null],
      ['payout.fail_refused', 'illegal_transition'],
    ]);
  });
});
