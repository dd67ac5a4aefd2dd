/** Prepaid money: what came in is on record, what goes out never exceeds it, and who waits is paid when it comes. */
import { randomUUID } from 'node:crypto';
import { type ApiClient, eventually, newClient, operator } from '../harness/api';
import { deposit, prepaidClient, reachesStatus, readPayout, reasonOf, stepsOf, walletOf } from '../harness/money';

describe('wallets', () => {
  test('a client that never paid in has none', async () => {
    const client = await newClient();
    expect((await client.get('/wallet')).body).toEqual([]);
  });

  test('an entry counts once, however often it is posted, and its reference means one thing', async () => {
    const client = await prepaidClient(0);
    const reference = randomUUID();
    const answers = await Promise.all(Array.from({ length: 20 }, () => deposit(client, 5_000, { reference })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    const other = await deposit(client, 5_001, { reference });
    expect([other.status, other.body.error]).toEqual([422, 'idempotency_conflict']);
    const { data } = (await operator('GET', `/audit?clientId=${client.id}`)).body;
    expect(data.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['wallet.deposit', 'wallet.deposit_refused']),
    );
    expect(await walletOf(client)).toEqual({
      currency: 'USD',
      depositedCents: 5_000,
      inFlightCents: 0,
      paidCents: 0,
      availableCents: 5_000,
    });
  });

  test('deposits and adjustments are kept by currency, and listed newest first', async () => {
    const client = await prepaidClient(1_000);
    await deposit(client, 700, { currency: 'EUR' });
    await deposit(client, -300, { type: 'adjustment', note: 'counted twice' });
    expect((await walletOf(client)).availableCents).toBe(700);
    expect((await walletOf(client, 'EUR')).availableCents).toBe(700);
    const { body } = await operator('GET', `/clients/${client.id}/wallet/entries?limit=2`);
    expect(
      body.data.map(({ type, amountCents }: { type: string; amountCents: number }) => [type, amountCents]),
    ).toEqual([
      ['adjustment', -300],
      ['deposit', 700],
    ]);
    const rest = await operator('GET', `/clients/${client.id}/wallet/entries?cursor=${body.nextCursor}`);
    expect(rest.body).toMatchObject({ data: [{ amountCents: 1_000 }], nextCursor: null });
    const audit = await operator('GET', `/audit?clientId=${client.id}`);
    expect(audit.body.data.map(({ action }: { action: string }) => action)).toContain('wallet.adjustment');
  });

  test.each<[string, Record<string, unknown>]>([
    ['a deposit below zero', { amountCents: -1 }],
    ['nothing', { amountCents: 0 }],
    ['an adjustment of nothing', { type: 'adjustment', amountCents: 0 }],
    ['half a cent', { amountCents: 0.5 }],
    ['text', { amountCents: '100' }],
    ['a currency that is none', { currency: 'ZZZ' }],
    ['a type that is none', { type: 'gift' }],
    ['no reference', { reference: null }],
    ['an unknown property', { balance: 1 }],
  ])('%s is no entry', async (_, change) => {
    const client = await newClient();
    const answer = await deposit(client, 100, change);
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
  });

  test('a viewer deposits nothing, and an unknown client has no wallet', async () => {
    const client = await newClient();
    const viewer = (await operator('POST', '/operators', { name: `viewer-${randomUUID()}`, role: 'viewer' })).body
      .token;
    const entry = { type: 'deposit', currency: 'USD', amountCents: 1, reference: 'x' };
    expect((await operator('POST', `/clients/${client.id}/wallet/entries`, entry, viewer)).status).toBe(403);
    expect((await operator('POST', `/clients/${randomUUID()}/wallet/entries`, entry)).body.error).toBe(
      'client_not_found',
    );
  });

  test('a payout draws on the wallet, and a return gives it back less the fee', async () => {
    const client = await prepaidClient(10_000);
    const payee = await client.payablePayee();
    const paid = (await client.payout(payee.id, { amountCents: 4_000 })).body;
    expect(paid.status).toBe('paid');
    expect(await walletOf(client)).toMatchObject({ paidCents: 4_000, inFlightCents: 0, availableCents: 6_000 });
    const pending = (await client.payout(payee.id, { amountCents: 1_000, reason: 'mock:pending' })).body;
    expect(await walletOf(client)).toMatchObject({ paidCents: 4_000, inFlightCents: 1_000, availableCents: 5_000 });
    await client.post(`/test/payouts/${pending.id}/fail`, { kind: 'transient' });
    expect((await walletOf(client)).availableCents).toBe(6_000);
    await client.post(`/test/payouts/${paid.id}/return`, { liftingFeeCents: 25 });
    expect(await walletOf(client)).toMatchObject({ paidCents: 0, inFlightCents: 0, availableCents: 9_975 });
  });

  test('what the wallet does not cover is held, and paid when funds come, oldest first', async () => {
    const client = await prepaidClient(0);
    const payee = await client.payablePayee();
    const held = [];
    for (const amountCents of [300, 200, 400]) held.push((await client.payout(payee.id, { amountCents })).body);
    for (const { id, status } of held) {
      expect(status).toBe('held');
      expect(reasonOf(await readPayout(client, id))).toBe('insufficient_funds');
    }
    await deposit(client, 600);
    await reachesStatus(client, held[0].id, 'paid');
    const second = await reachesStatus(client, held[1].id, 'paid');
    expect(stepsOf(second).slice(-3)).toEqual([
      'held release authorized',
      'authorized submit submitted',
      'submitted settle paid',
    ]);
    expect((await readPayout(client, held[2].id)).status).toBe('held');
    expect(await walletOf(client)).toMatchObject({ paidCents: 500, availableCents: 100 });
    await deposit(client, 300);
    await reachesStatus(client, held[2].id, 'paid');
    expect((await walletOf(client)).availableCents).toBe(0);
  });

  test('money that comes back from a failure pays who waits for it', async () => {
    const client = await prepaidClient(1_000);
    const payee = await client.payablePayee();
    const first = (await client.payout(payee.id, { amountCents: 1_000, reason: 'mock:pending' })).body;
    const second = (await client.payout(payee.id, { amountCents: 900 })).body;
    expect(second.status).toBe('held');
    await client.post(`/test/payouts/${first.id}/fail`, { kind: 'permanent' });
    await reachesStatus(client, second.id, 'paid');
    expect((await walletOf(client)).availableCents).toBe(100);
  });

  test('a rail that stays out of funds is not asked again and again', async () => {
    const client = await prepaidClient(1_000);
    const payee = await client.payablePayee();
    const { id } = (await client.payout(payee.id, { amountCents: 500, reason: 'mock:insufficient_funds' })).body;
    await deposit(client, 100);
    const other = (await client.payout(payee.id, { amountCents: 1_100 })).body;
    expect(other.status).toBe('paid');
    const waiting = await readPayout(client, id);
    expect([waiting.status, stepsOf(waiting).length]).toEqual(['held', 4]);
  });

  test('50 payouts of 10 at once on 100: exactly ten are paid, and it never goes below zero', async () => {
    const client: ApiClient = await prepaidClient(1_000);
    const payees = await Promise.all(Array.from({ length: 10 }, () => client.payablePayee()));
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => client.payout(payees[index % 10].id, { amountCents: 100 })),
    );
    const count = (status: string): number => answers.filter(({ body }) => body.status === status).length;
    expect([count('paid'), count('held')]).toEqual([10, 40]);
    expect(await walletOf(client)).toMatchObject({ paidCents: 1_000, availableCents: 0 });
    await Promise.all(Array.from({ length: 5 }, () => deposit(client, 200)));
    await eventually(
      () => client.get('/payouts?status=paid'),
      ({ body }) => body.data.length === 20,
    );
    expect((await walletOf(client)).availableCents).toBe(0);
  });

  test('a return costs no more than was paid', async () => {
    const client = await prepaidClient(2_000);
    const payee = await client.payablePayee();
    const { id } = (await client.payout(payee.id, { amountCents: 1_000 })).body;
    expect((await client.post(`/test/payouts/${id}/return`, { liftingFeeCents: 1_001 })).body.error).toBe(
      'invalid_request',
    );
    expect((await client.post(`/test/payouts/${id}/return`, { liftingFeeCents: 1_000 })).status).toBe(200);
    expect((await walletOf(client)).availableCents).toBe(1_000);
  });

  test('a bank that asks for more than it was sent keeps what it was sent, and the wallet stays whole', async () => {
    const client = await prepaidClient(10, { floors: { mock: 1 } });
    const payee = await client.payablePayee();
    const { body } = await client.payout(payee.id, { amountCents: 10, reason: 'mock:return' });
    const returned = await reachesStatus(client, body.id, 'returned');
    expect(returned.liftingFeeCents).toBe(10);
    expect(await walletOf(client)).toMatchObject({ inFlightCents: 0, paidCents: 0, availableCents: 0 });
  });

  test('a client that is not prepaid draws on nothing', async () => {
    const client = await newClient();
    await deposit(client, 100);
    const payee = await client.payablePayee();
    expect((await client.payout(payee.id, { amountCents: 5_000 })).body.status).toBe('paid');
    expect((await walletOf(client)).availableCents).toBe(100);
  });
});
