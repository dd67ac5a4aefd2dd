/** What is owed is pushed row by row, each once per reference, and read back as it stands. */
import { randomUUID } from 'node:crypto';
import { type ApiClient, type Json, newClient } from '../harness/api';
import { balanceOf, EMPTY_BALANCE, owe, owedRow, push, withdraw } from '../harness/owed';

describe('a push', () => {
  let client: ApiClient;
  let payee: Json;
  beforeAll(async () => {
    client = await newClient();
    payee = await client.payablePayee();
  });

  const pushed = async (...rows: Json[]): Promise<Json[]> => (await push(client, rows)).body.results;

  test('answers each row in order, as it was written down', async () => {
    const row = owedRow(payee.id, { amountCents: 1_234, reason: 'March royalties' });
    const { status, body } = await push(client, [row, owedRow(randomUUID())]);
    expect(status).toBe(207);
    expect(body.results).toEqual([
      {
        index: 0,
        status: 'ok',
        idempotentReplay: false,
        disbursement: {
          id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
          payeeId: payee.id,
          email: 'ada@example.com',
          amountCents: 1_234,
          currency: 'USD',
          status: 'owed',
          externalRef: row.externalRef,
          transactionId: null,
          reason: 'March royalties',
          createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
          updatedAt: expect.any(String),
        },
      },
      { index: 1, status: 'error', error: 'payee_not_found', message: expect.any(String) },
    ]);
    const { body: read } = await client.get(`/disbursements/${body.results[0].disbursement.id}`);
    expect(read).toEqual(body.results[0].disbursement);
  });

  test.each<[string, Json, string]>([
    ['no target', { payeeId: undefined }, 'payee_target_missing'],
    ['two targets', { email: 'a@example.com' }, 'payee_target_ambiguous'],
    ['an id that is none', { payeeId: 'payee' }, 'payee_not_found'],
    ['half a cent', { amountCents: 0.5 }, 'invalid_amount'],
    ['nothing', { amountCents: 0 }, 'invalid_amount'],
    ['less than nothing', { amountCents: -5 }, 'invalid_amount'],
    ['an amount in text', { amountCents: '5' }, 'invalid_amount'],
    ['an amount over all bounds', { amountCents: 100_000_000_001 }, 'invalid_amount'],
    ['a currency in lower case', { currency: 'usd' }, 'invalid_currency'],
    ['no currency', { currency: undefined }, 'invalid_currency'],
    ['an address that is none', { payeeId: undefined, email: 'ada' }, 'invalid_email'],
    ['no reference', { externalRef: undefined }, 'invalid_external_ref'],
    ['an empty reference', { externalRef: '' }, 'invalid_external_ref'],
    ['a number for a reference', { externalRef: 5 }, 'invalid_external_ref'],
    ['256 characters', { externalRef: 'x'.repeat(256) }, 'invalid_external_ref'],
    ['a line break', { externalRef: 'a\nb' }, 'invalid_external_ref'],
    ['a reference of the service itself', { externalRef: `return:${randomUUID()}` }, 'invalid_external_ref'],
    ['a long name', { name: 'x'.repeat(201) }, 'invalid_row'],
    ['a long reason', { reason: 'x'.repeat(1_001) }, 'invalid_row'],
    ['what is no field', { destination: 'DE89' }, 'invalid_row'],
  ])('refuses a row with %s, and takes the others', async (_, change, error) => {
    const [bad, good] = await pushed(owedRow(payee.id, change), owedRow(payee.id));
    expect([bad.status, bad.error, good.status]).toEqual(['error', error, 'ok']);
  });

  test.each<[string, Json]>([
    ['no items', {}],
    ['an object', { items: {} }],
    ['an empty list', { items: [] }],
    ['more than 1,000 rows', { items: Array.from({ length: 1_001 }, () => ({})) }],
    ['rows that are none', { items: [1, 'row'] }],
    ['sendEmail in words', { items: [{}], sendEmail: 'yes' }],
    ['what is no field', { items: [{}], batch: 1 }],
  ])('with %s is no request', async (_, body) => {
    const answer = await client.post('/disbursements', body);
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
  });

  test('with one reference twice does nothing at all, and says where', async () => {
    const [twice, once] = [`twice-${randomUUID()}`, `once-${randomUUID()}`];
    const rows = [twice, once, twice].map((externalRef) => owedRow(payee.id, { externalRef }));
    const { status, body } = await push(client, rows);
    expect([status, body.error, body.details]).toEqual([400, 'duplicate_external_ref', { indices: [0, 2] }]);
    expect((await client.get(`/disbursements?externalRef=${once}`)).body.data).toEqual([]);
  });

  test('sent again answers the first row, whatever it says by then, and touches no payee', async () => {
    const email = `${randomUUID()}@example.com`;
    const row = owedRow(payee.id);
    const [first] = await pushed(row);
    await withdraw(client, payee.id);
    const changed = { ...row, payeeId: undefined, email, amountCents: 5, currency: 'EUR', name: 'Somebody Else' };
    const [again] = await pushed(changed);
    expect(again).toMatchObject({ status: 'ok', idempotentReplay: true });
    expect(again.disbursement).toMatchObject({ id: first.disbursement.id, amountCents: 1_000, status: 'paid' });
    expect((await client.get(`/payees?email=${email}`)).body.data).toEqual([]);
    expect((await client.get(`/payees/${payee.id}`)).body.name).toBe('Ada Lovelace');
  });

  test('of 20 equal ones at once writes each row down once', async () => {
    const { id } = await client.payablePayee();
    const rows = Array.from({ length: 50 }, () => owedRow(id, { amountCents: 10 }));
    const answers = await Promise.all(Array.from({ length: 20 }, (_, turn) => push(client, rotated(rows, turn))));
    const results = answers.flatMap(({ body }) => body.results as Json[]);
    expect(results.every(({ status }) => status === 'ok')).toBe(true);
    expect(results.filter(({ idempotentReplay }) => !idempotentReplay)).toHaveLength(50);
    expect(new Set(results.map(({ disbursement }) => disbursement.id)).size).toBe(50);
    expect(await balanceOf(client, id)).toMatchObject({ ...EMPTY_BALANCE, withdrawableCents: 500 });
  });

  test('takes 1,000 rows', async () => {
    const { id } = await client.payablePayee();
    await owe(
      client,
      id,
      Array.from({ length: 1_000 }, (_, index) => index + 1),
    );
    expect((await balanceOf(client, id)).withdrawableCents).toBe(500_500);
    expect((await withdraw(client, id)).body).toMatchObject({ released: 1_000, releasedCents: 500_500 });
  });

  test('by address finds the oldest payee, or makes one, and names who has no name', async () => {
    const email = `${randomUUID()}@example.com`;
    const to = (more: Json = {}): Json => owedRow(payee.id, { payeeId: undefined, email, ...more });
    const rows = await pushed(to({ name: 'First Name' }), to({ email: email.toUpperCase(), name: 'Second Name' }));
    expect(new Set(rows.map(({ disbursement }) => disbursement.payeeId)).size).toBe(1);
    const { body } = await client.get(`/payees/${rows[0].disbursement.payeeId}`);
    expect(body).toMatchObject({ externalId: `email:${email}`, email, name: 'First Name' });
    await pushed(to({ name: 'Third Name' }));
    expect((await client.get(`/payees/${body.id}`)).body.name).toBe('First Name');
  });

  test('needs no scope but its own, and reading is included in it', async () => {
    const writer = await newClient({ scopes: ['disbursements:write'] });
    const [row] = (await push(writer, [owedRow('', { payeeId: undefined, email: `${randomUUID()}@example.com` })])).body
      .results;
    expect(row.status).toBe('ok');
    expect((await writer.get(`/disbursements/${row.disbursement.id}`)).status).toBe(200);
    const reader = await newClient({ scopes: ['disbursements:read'] });
    expect((await reader.get('/disbursements')).status).toBe(200);
    expect((await push(reader, [owedRow(payee.id)])).body.error).toBe('insufficient_scope');
    const neither = await newClient({ scopes: ['payouts:read'] });
    expect((await neither.get('/disbursements')).body.error).toBe('insufficient_scope');
  });

  test('is seen by its client only', async () => {
    const other = await newClient();
    const [row] = await pushed(owedRow(payee.id));
    const foreign = await other.get(`/disbursements/${row.disbursement.id}`);
    expect([foreign.status, foreign.body.error]).toEqual([404, 'disbursement_not_found']);
    expect((await other.get('/disbursements/no-id')).body.error).toBe('disbursement_not_found');
    expect((await other.get(`/disbursements?payeeId=${payee.id}`)).body.data).toEqual([]);
    expect((await push(other, [owedRow(payee.id)])).body.results[0].error).toBe('payee_not_found');
    const same = await push(other, [owedRow((await other.payee()).id, { externalRef: row.disbursement.externalRef })]);
    expect(same.body.results[0]).toMatchObject({ status: 'ok', idempotentReplay: false });
  });
});

describe('the list of what is owed', () => {
  test('is paged newest first, and skips nothing that was pushed in one call', async () => {
    const client = await newClient();
    const { id } = await client.payablePayee();
    const rows = await owe(
      client,
      id,
      Array.from({ length: 25 }, (_, index) => index + 100),
    );
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: { body: Json } = await client.get(`/disbursements?limit=10${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.data.map((row: Json) => row.id));
      cursor = body.nextCursor;
    }
    expect(seen).toEqual(rows.map((row) => row.id).reverse());
  });

  test('is filtered by status, payee and reference, in any combination', async () => {
    const client = await newClient();
    const [one, two] = [await client.payablePayee(), await client.payablePayee()];
    const [paid] = await owe(client, one.id, [500]);
    await withdraw(client, one.id);
    const [owed] = await owe(client, one.id, [600]);
    const [other] = await owe(client, two.id, [700]);
    const found = async (query: string): Promise<string[]> =>
      (await client.get(`/disbursements?${query}`)).body.data.map(({ id }: Json) => id);
    expect(await found('status=owed')).toEqual([other.id, owed.id]);
    expect(await found('status=paid')).toEqual([paid.id]);
    const { body } = await client.get(`/disbursements/${paid.id}`);
    expect(await found(`transactionId=${body.transactionId}`)).toEqual([paid.id]);
    expect(await found(`payeeId=${one.id}`)).toEqual([owed.id, paid.id]);
    expect(await found(`payeeId=${one.id}&status=owed`)).toEqual([owed.id]);
    expect(await found(`externalRef=${other.externalRef}`)).toEqual([other.id]);
    expect(await found(`externalRef=${other.externalRef}&status=paid`)).toEqual([]);
  });

  test.each([
    ['status=sent', 'invalid_status'],
    ['cursor=x', 'invalid_cursor'],
    ['limit=0', 'invalid_request'],
    ['payeeId=x', 'invalid_request'],
    ['email=a@example.com', 'invalid_request'],
  ])('refuses %s', async (query, error) => {
    const client = await newClient();
    const answer = await client.get(`/disbursements?${query}`);
    expect([answer.status, answer.body.error]).toEqual([400, error]);
  });
});

describe('a balance', () => {
  test('is of one currency: the one asked for, the one that moved last, or the default', async () => {
    const client = await newClient({ defaultCurrency: 'GBP', floors: { mock: 150 } });
    const { id } = await client.payablePayee();
    expect(await balanceOf(client, id)).toEqual({
      ...EMPTY_BALANCE,
      minPayoutCents: 150,
      provider: 'mock',
      currency: 'GBP',
    });
    await owe(client, id, [400]);
    await client.payout(id, { amountCents: 900, currency: 'EUR' });
    expect(await balanceOf(client, id)).toMatchObject({ ...EMPTY_BALANCE, landedCents: 900, currency: 'EUR' });
    expect(await balanceOf(client, id, 'USD')).toMatchObject({ ...EMPTY_BALANCE, withdrawableCents: 400 });
    expect(await balanceOf(client, id, 'JPY')).toMatchObject({ ...EMPTY_BALANCE, currency: 'JPY' });
    expect((await client.get(`/payees/${id}/balance?currency=usd`)).body.error).toBe('invalid_request');
  });

  test('names no rail and no floor where none can be resolved, and is the client’s own', async () => {
    const client = await newClient({ testMode: false });
    const { id } = await client.payee({ country: null });
    expect(await balanceOf(client, id)).toMatchObject({ provider: null, minPayoutCents: 0 });
    const other = await newClient();
    expect((await other.get(`/payees/${id}/balance`)).body.error).toBe('payee_not_found');
    const writer = await newClient({ scopes: ['payees:write'] });
    expect((await writer.get(`/payees/${id}/balance`)).body.error).toBe('insufficient_scope');
  });
});

const rotated = <T>(items: T[], by: number): T[] => [...items.slice(by), ...items.slice(0, by)];
