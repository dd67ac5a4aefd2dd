/** A withdrawal releases what is owed as one payout per currency, and its rows follow that payout wherever it goes. */
import { type ApiClient, type Json, newClient, operator } from '../harness/api';
import { deposit, prepaidClient, readPayout, reasonOf, walletOf } from '../harness/money';
import { balanceOf, EMPTY_BALANCE, owe, payoutOf, rowsOf, standing, withdraw } from '../harness/owed';

const NOTHING = { released: 0, releasedCents: 0, awaitingFunding: 0, held: 0, failed: 0 };

describe('withdrawals', () => {
  let client: ApiClient;
  let payee: Json;
  beforeEach(async () => {
    client = await newClient();
    payee = await client.payablePayee();
  });

  test('release every owed row as one payout', async () => {
    const rows = await owe(client, payee.id, [1_000, 250, 4]);
    const { status, body } = await withdraw(client, payee.id);
    expect([status, body]).toEqual([200, { ...NOTHING, released: 3, releasedCents: 1_254 }]);
    expect(await standing(client, rows)).toEqual(['paid', 'paid', 'paid']);
    const payout = await payoutOf(client, rows[0]);
    expect(payout).toMatchObject({ source: 'withdraw', status: 'paid', amountCents: 1_254, ref: null, reason: null });
    expect(payout.events[0]).toMatchObject({ type: 'create', actor: 'client' });
    const again = await withdraw(client, payee.id);
    expect([again.status, again.body.error]).toEqual([409, 'nothing_to_withdraw']);
  });

  test('make one payout for each currency', async () => {
    const rows = [
      ...(await owe(client, payee.id, [500, 600], { reason: 'March' })),
      ...(await owe(client, payee.id, [700], { currency: 'EUR' })),
    ];
    const { body } = await withdraw(client, payee.id);
    expect(body).toEqual({ ...NOTHING, released: 3, releasedCents: 1_800 });
    const payouts = await Promise.all(rows.map((row) => payoutOf(client, row)));
    expect(payouts.map(({ amountCents, currency, reason }) => [amountCents, currency, reason])).toEqual([
      [1_100, 'USD', 'March'],
      [1_100, 'USD', 'March'],
      [700, 'EUR', null],
    ]);
  });

  test('put the payout to its gates: what is held keeps its rows, and goes on when it is released', async () => {
    const rows = await owe(client, payee.id, [30, 40]);
    expect((await withdraw(client, payee.id)).body).toEqual({ ...NOTHING, held: 2 });
    expect(await standing(client, rows)).toEqual(['released', 'released']);
    const payout = await payoutOf(client, rows[0]);
    expect([payout.status, reasonOf(payout)]).toEqual(['held', 'below_min_payout']);
    expect(await balanceOf(client, payee.id)).toMatchObject({
      ...EMPTY_BALANCE,
      heldBelowMinimumCents: 70,
      minPayoutCents: 100,
    });
    await client.post(`/payouts/${payout.id}/release`);
    expect(await standing(client, rows)).toEqual(['paid', 'paid']);
    expect(await balanceOf(client, payee.id)).toMatchObject({ ...EMPTY_BALANCE, landedCents: 70 });
  });

  test('a payout that fails gives its rows back, and a retry takes exactly them again', async () => {
    const rows = await owe(client, payee.id, [1_000, 500], { reason: 'mock:fail_once' });
    expect((await withdraw(client, payee.id)).body).toEqual({ ...NOTHING, failed: 2 });
    expect(await standing(client, rows)).toEqual(['owed', 'owed']);
    const payout = await payoutOf(client, rows[0]);
    expect(payout).toMatchObject({ status: 'failed', retryable: true });
    expect(await balanceOf(client, payee.id)).toMatchObject({ ...EMPTY_BALANCE, withdrawableCents: 1_500 });
    const [later] = await owe(client, payee.id, [70]);
    const retried = await client.post(`/payouts/${payout.id}/retry`);
    expect([retried.status, retried.body.status]).toEqual([200, 'paid']);
    expect(await standing(client, [...rows, later])).toEqual(['paid', 'paid', 'owed']);
  });

  test('once a row was released elsewhere the old payout is superseded', async () => {
    const rows = await owe(client, payee.id, [1_000], { reason: 'mock:fail_transient' });
    await withdraw(client, payee.id);
    const old = await payoutOf(client, rows[0]);
    await owe(client, payee.id, [10]);
    expect((await withdraw(client, payee.id)).body).toEqual({ ...NOTHING, released: 2, releasedCents: 1_010 });
    const retried = await client.post(`/payouts/${old.id}/retry`);
    expect([retried.status, retried.body]).toMatchObject([
      409,
      { error: 'payout_not_retryable', message: 'payout_superseded_by_disbursement_retry' },
    ]);
    const released = await client.post(`/payouts/${old.id}/release`);
    expect([released.status, released.body.error]).toEqual([409, 'payout_not_releasable']);
    const byOperator = await operator('POST', `/payouts/${old.id}/retry`);
    expect(byOperator.body.error).toBe('payout_not_retryable');
    expect(await readPayout(client, old.id)).toMatchObject({ status: 'failed', retryable: false });
    expect(await standing(client, rows)).toEqual(['paid']);
  });

  test('the very same rows go out under the same code again, and are paid once', async () => {
    const rows = await owe(client, payee.id, [1_000], { reason: 'mock:fail_once' });
    await withdraw(client, payee.id);
    const old = await payoutOf(client, rows[0]);
    expect((await withdraw(client, payee.id)).body).toMatchObject({ released: 1, releasedCents: 1_000 });
    const paid = await payoutOf(client, rows[0]);
    expect(paid.id).not.toBe(old.id);
    expect(paid).toMatchObject({ status: 'paid', amountCents: 1_000 });
    expect((await client.post(`/payouts/${old.id}/retry`)).body.error).toBe('payout_not_retryable');
    expect(await readPayout(client, old.id)).toMatchObject({ status: 'failed' });
    expect(await balanceOf(client, payee.id)).toMatchObject({ ...EMPTY_BALANCE, landedCents: 1_000 });
  });

  test('what a rail refuses for good can be withdrawn again, under a new code', async () => {
    const rows = await owe(client, payee.id, [1_000], { reason: 'mock:fail_permanent' });
    expect((await withdraw(client, payee.id)).body).toEqual({ ...NOTHING, failed: 1 });
    expect((await withdraw(client, payee.id)).body).toEqual({ ...NOTHING, failed: 1 });
    expect(await standing(client, rows)).toEqual(['owed']);
  });

  test('a bounce returns the rows, and owes what came back anew', async () => {
    const rows = await owe(client, payee.id, [1_000, 500]);
    await withdraw(client, payee.id);
    const payout = await payoutOf(client, rows[0]);
    const { body } = await client.post(`/test/payouts/${payout.id}/return`, { liftingFeeCents: 30 });
    expect(body).toMatchObject({ status: 'returned', liftingFeeCents: 30 });
    expect(await standing(client, rows)).toEqual(['returned', 'returned']);
    const restored = (await rowsOf(client, payee.id)).find(({ status }) => status === 'owed');
    expect(restored).toMatchObject({ amountCents: 1_470, externalRef: `return:${payout.id}`, transactionId: null });
    expect(await balanceOf(client, payee.id)).toMatchObject({ ...EMPTY_BALANCE, withdrawableCents: 1_470 });
    expect((await withdraw(client, payee.id)).body).toMatchObject({ released: 1, releasedCents: 1_470 });
  });

  test('a bounce that costs all of it owes nothing anew', async () => {
    const rows = await owe(client, payee.id, [150]);
    await withdraw(client, payee.id);
    const payout = await payoutOf(client, rows[0]);
    await client.post(`/test/payouts/${payout.id}/return`, { liftingFeeCents: 150 });
    expect((await rowsOf(client, payee.id)).map(({ status }) => status)).toEqual(['returned']);
    expect(await balanceOf(client, payee.id)).toMatchObject(EMPTY_BALANCE);
  });

  test('a wallet that does not cover everything releases the oldest rows', async () => {
    const prepaid = await prepaidClient(1_000);
    const { id } = await prepaid.payablePayee();
    const rows = await owe(prepaid, id, [600, 300, 200, 100]);
    expect((await withdraw(prepaid, id)).body).toEqual({
      ...NOTHING,
      released: 2,
      releasedCents: 900,
      awaitingFunding: 2,
    });
    expect(await standing(prepaid, rows)).toEqual(['paid', 'paid', 'owed', 'owed']);
    expect((await withdraw(prepaid, id)).body).toEqual({ ...NOTHING, awaitingFunding: 2 });
    await deposit(prepaid, 200);
    expect((await withdraw(prepaid, id)).body).toMatchObject({ released: 2, releasedCents: 300 });
    expect((await walletOf(prepaid)).availableCents).toBe(0);
  });

  test('an outcome nobody knows leaves the rows released until it is known', async () => {
    const rows = await owe(client, payee.id, [1_000], { reason: 'mock:pending' });
    expect((await withdraw(client, payee.id)).body).toMatchObject({ released: 1 });
    const payout = await payoutOf(client, rows[0]);
    expect(payout.status).toBe('submitted');
    expect(await balanceOf(client, payee.id)).toMatchObject({ ...EMPTY_BALANCE, onTheWayCents: 1_000 });
    await client.post(`/test/payouts/${payout.id}/fail`, { kind: 'permanent' });
    expect(await standing(client, rows)).toEqual(['owed']);
  });
});
