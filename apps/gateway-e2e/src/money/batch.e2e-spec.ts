/** Many payouts in one call: each row answers for itself, and is paid once however the batch is sent again. */
import { randomUUID } from 'node:crypto';
import { type Answer, type ApiClient, type Json, newClient } from '../harness/api';
import { readPayout, reasonOf } from '../harness/money';

describe('batch', () => {
  let client: ApiClient;
  let payees: Json[];

  beforeAll(async () => {
    client = await newClient({ caps: { dailyCents: 100_000_000 } });
    payees = await Promise.all(Array.from({ length: 5 }, () => client.payablePayee()));
  });

  const send = (items: unknown, idempotencyKey: unknown = randomUUID(), from = client): Promise<Answer> =>
    from.post('/payouts/batch', { idempotencyKey, items });
  const row = (index: number, more: Record<string, unknown> = {}): Record<string, unknown> => ({
    payeeId: payees[index].id,
    amountCents: 1_000,
    currency: 'USD',
    ref: `row-${index}`,
    ...more,
  });
  const idsOf = ({ body }: Answer): string[] => body.results.map(({ transaction }: Json) => transaction.id);

  test('each row is a payout, in order', async () => {
    const answer = await send([row(0), row(1), row(2, { reason: 'mock:fail_permanent' })]);
    expect(answer.status).toBe(207);
    expect(answer.body.results).toMatchObject([
      {
        index: 0,
        status: 'ok',
        idempotentReplay: false,
        transaction: { status: 'paid', source: 'batch', ref: 'row-0' },
      },
      { index: 1, status: 'ok', transaction: { status: 'paid', payeeId: payees[1].id } },
      { index: 2, status: 'ok', transaction: { status: 'failed' } },
    ]);
  });

  test('sent again, reordered and with a row more, each row is paid once', async () => {
    const key = randomUUID();
    const first = await send([row(0), row(1)], key);
    const again = await send([row(2), row(1), row(0)], key);
    expect(again.body.results.map(({ idempotentReplay }: Json) => idempotentReplay)).toEqual([false, true, true]);
    expect(idsOf(again).slice(1).reverse()).toEqual(idsOf(first));
  });

  test('a row with a key of its own is the payout of that key, wherever it was made', async () => {
    const idempotencyKey = randomUUID();
    const { body } = await client.payout(payees[0].id, { idempotencyKey, ref: 'row-0' });
    const { body: batch } = await send([row(0, { idempotencyKey })]);
    expect(batch.results[0]).toMatchObject({ status: 'ok', idempotentReplay: true, transaction: { id: body.id } });
    const { body: other } = await send([row(0, { idempotencyKey, amountCents: 999 })]);
    expect(other.results[0]).toMatchObject({ index: 0, status: 'error', error: 'idempotency_conflict' });
  });

  test('keys that look alike when they are joined are different keys', async () => {
    const [one, two] = [await send([row(0)], 'a:b'), await send([row(0)], 'a')];
    expect(idsOf(one)).not.toEqual(idsOf(two));
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['no target', { payeeId: undefined }, 'payee_target_missing'],
    ['two targets', { email: 'ada@example.com' }, 'payee_target_ambiguous'],
    ['an unknown payee', { payeeId: randomUUID() }, 'payee_not_found'],
    ['no id', { payeeId: 'nobody' }, 'payee_not_found'],
    ['no amount', { amountCents: undefined }, 'invalid_amount'],
    ['an amount of nothing', { amountCents: 0 }, 'invalid_amount'],
    ['an amount in text', { amountCents: '100' }, 'invalid_amount'],
    ['a currency in small letters', { currency: 'usd' }, 'invalid_currency'],
    ['an address that is none', { payeeId: undefined, email: 'nobody' }, 'invalid_email'],
    ['a ref without end', { ref: 'x'.repeat(256) }, 'invalid_row'],
    ['an empty key', { idempotencyKey: '' }, 'invalid_row'],
    ['an unknown property', { destination: 'DE89' }, 'invalid_row'],
  ])('a row with %s is refused, and the others go on', async (_, change, error) => {
    const { status, body } = await send([row(1), row(0, change)]);
    expect(status).toBe(207);
    expect(body.results[0].status).toBe('ok');
    expect(body.results[1]).toEqual({ index: 1, status: 'error', error, message: expect.any(String) });
  });

  test.each<[string, unknown, unknown]>([
    ['no key', [{}], null],
    ['no items', undefined, 'k'],
    ['an empty list', [], 'k'],
    ['1,001 rows', Array.from({ length: 1_001 }, () => ({})), 'k'],
    ['rows that are no objects', [1, 'two', null, []], 'k'],
    ['items that are no list', { 0: {} }, 'k'],
  ])('a body with %s is no batch', async (_, items, key) => {
    const answer = await send(items, key);
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
    expect(answer.body.details.fields.length).toBeGreaterThan(0);
  });

  test('a payee named twice needs two keys; until then nothing is paid', async () => {
    const key = randomUUID();
    const refused = await send([row(3), row(4), row(3, { amountCents: 5 })], key);
    expect([refused.status, refused.body.error, refused.body.details.indices]).toEqual([
      400,
      'duplicate_target',
      [0, 2],
    ]);
    expect((await send([row(4)], key)).body.results[0].idempotentReplay).toBe(false);
    const keys = [randomUUID(), randomUUID()];
    const meant = await send([row(3, { idempotencyKey: keys[0] }), row(3, { idempotencyKey: keys[1] })]);
    expect(new Set(idsOf(meant)).size).toBe(2);
    const same = await send([row(3, { idempotencyKey: keys[0] }), row(3, { idempotencyKey: keys[0] })]);
    expect(same.body.error).toBe('duplicate_target');
  });

  test('rows of one payee share their day, in order, also with what another batch has at the same moment', async () => {
    const capped = await newClient({ caps: { dailyCents: 2_500 } });
    const [one, two] = [await capped.payablePayee(), await capped.payablePayee()];
    const rows = ({ id: payeeId }: Json): Json[] =>
      [1_000, 2_000, 1_000, 500].map((amountCents) => ({
        payeeId,
        amountCents,
        currency: 'USD',
        idempotencyKey: randomUUID(),
      }));
    const alone = await send(rows(one), randomUUID(), capped);
    expect(alone.body.results.map(({ transaction }: Json) => transaction.status)).toEqual([
      'paid',
      'held',
      'paid',
      'paid',
    ]);
    const both = await Promise.all([rows(two), rows(two)].map((items) => send(items, randomUUID(), capped)));
    const paid = both.flatMap(({ body }) => body.results).filter(({ transaction }) => transaction.status === 'paid');
    expect(paid.reduce((sum: number, { transaction }: Json) => sum + transaction.amountCents, 0)).toBe(2_500);
  });

  test('rows that name nobody are refused one by one, however often they do', async () => {
    const nobody = { payeeId: randomUUID(), amountCents: 100, currency: 'USD' };
    const { status, body } = await send([nobody, row(3), nobody]);
    expect(status).toBe(207);
    expect(body.results.map(({ error }: Json) => error)).toEqual(['payee_not_found', undefined, 'payee_not_found']);
    expect(body.results[0].message).toBe(`There is no such payee: ${nobody.payeeId}.`);
  });

  test('a payee named by id and by address is named twice', async () => {
    const email = `${randomUUID()}@example.com`;
    const payee = await client.payablePayee({ email });
    const answer = await send([
      { payeeId: payee.id.toUpperCase(), amountCents: 100, currency: 'USD' },
      { email: email.toUpperCase(), amountCents: 100, currency: 'USD' },
    ]);
    expect([answer.body.error, answer.body.details.indices]).toEqual(['duplicate_target', [0, 1]]);
  });

  test('an address is its oldest payee, or a new one whose payout is held', async () => {
    const [email, fresh] = [`${randomUUID()}@example.com`, `${randomUUID()}@example.com`];
    const oldest = await client.payablePayee({ email });
    await client.payee({ email });
    const rows = [email, fresh].map((address) => ({ email: address, amountCents: 100, currency: 'USD' }));
    const { body } = await send(rows);
    expect(body.results[0].transaction).toMatchObject({ payeeId: oldest.id, status: 'paid' });
    const held = body.results[1].transaction;
    expect(held.status).toBe('held');
    expect(reasonOf(await readPayout(client, held.id))).toBe('missing_country');
    const { body: payee } = await client.get(`/payees/${held.payeeId}`);
    expect(payee).toMatchObject({ externalId: `email:${fresh}`, email: fresh, payable: false });
  });

  test('an address that moves to another payee between two sends of a batch pays nobody twice', async () => {
    const [address, other] = [`${randomUUID()}@example.com`, `${randomUUID()}@example.com`];
    const first = await client.payablePayee({ email: address });
    const idempotencyKey = randomUUID();
    const again = async (items: Json[]): Promise<Json[]> =>
      (await client.post('/payouts/batch', { idempotencyKey, items })).body.results;
    const rows = [{ email: address, amountCents: 500, currency: 'USD' }];
    const [paid] = await again(rows);
    await client.post('/payees', { externalId: first.externalId, email: other });
    await client.payablePayee({ email: address });
    const own = { ...rows[0], idempotencyKey: randomUUID() };
    const [replay] = await again([...rows]);
    expect(replay).toMatchObject({ idempotentReplay: true, transaction: { id: paid?.transaction.id } });
    expect((await again([own]))[0]).toMatchObject({ transaction: { payeeId: first.id } });
  });

  test('an address is never a payee who has another one by now', async () => {
    const [old, now] = [`${randomUUID()}@example.com`, `${randomUUID()}@example.com`];
    const { transaction: first } = (await send([{ email: old, amountCents: 100, currency: 'USD' }])).body.results[0];
    await client.post('/payees', { externalId: `email:${old}`, email: now });
    const rows = [
      { email: old, amountCents: 100, currency: 'USD' },
      { payeeId: first.payeeId, amountCents: 100, currency: 'USD' },
    ];
    const answers = await Promise.all([send(rows, 'moved'), send(rows, 'moved')]);
    const [one, two] = answers.map(({ body }) => body.results.map(({ transaction }: Json) => transaction.payeeId));
    expect(one).toEqual(two);
    expect(one[0]).not.toBe(first.payeeId);
    expect((await client.get(`/payees/${one[0]}`)).body.email).toBe(old);
  });

  test('an address needs the scope to make payees', async () => {
    const narrow = await newClient({ scopes: ['payouts:write'] });
    const rows = [{ email: 'ada@example.com', amountCents: 100, currency: 'USD' }];
    const { status, body } = await send(rows, 'k', narrow);
    expect([status, body.results[0].error]).toEqual([207, 'insufficient_scope']);
  });

  test('a payee of another tenant is not there', async () => {
    const stranger = await newClient();
    const { body } = await send([row(0)], 'k', stranger);
    expect(body.results[0]).toMatchObject({ status: 'error', error: 'payee_not_found' });
  });

  test('20 at once with one key pay each row once', async () => {
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => send([row(index % 5), row((index + 1) % 5)], key)),
    );
    const results = answers.flatMap(({ body }) => body.results as Json[]);
    expect(results.filter(({ status }) => status !== 'ok')).toEqual([]);
    expect(new Set(results.map(({ transaction }) => transaction.id)).size).toBe(5);
    expect(results.filter(({ idempotentReplay }) => !idempotentReplay)).toHaveLength(5);
  });

  test('1,000 rows, sent twice at once, pay each row once', async () => {
    const rows = Array.from({ length: 1_000 }, (_, index) => ({
      email: `row-${index}@batch.example.com`,
      amountCents: 100 + index,
      currency: 'USD',
      ref: String(index),
    }));
    const bulk = await newClient();
    const [one, two] = await Promise.all([send(rows, 'bulk', bulk), send(rows, 'bulk', bulk)]);
    expect([one.status, two.status]).toEqual([207, 207]);
    expect(one.body.results.every(({ status }: Json) => status === 'ok')).toBe(true);
    expect(idsOf(one)).toEqual(idsOf(two));
    expect(new Set(idsOf(one)).size).toBe(1_000);
    const replays = [...one.body.results, ...two.body.results].filter(({ idempotentReplay }: Json) => idempotentReplay);
    expect(replays).toHaveLength(1_000);
    expect(one.body.results[999]).toMatchObject({ index: 999, transaction: { amountCents: 1_099, ref: '999' } });
  });
});
