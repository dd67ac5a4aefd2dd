/** JSON, numbers and strings that must be refused, and those that look odd and are right. */
import { randomUUID } from 'node:crypto';
import { type Answer, type ApiClient, type Json, newClient, operator } from '../harness/api';

describe('bodies', () => {
  let client: ApiClient;
  let payee: Json;
  const statuses: number[] = [];

  beforeAll(async () => {
    client = await newClient({ caps: { singleCents: 100_000_000_000, dailyCents: 100_000_000_000 } });
    payee = await client.payablePayee();
  });
  afterAll(async () => {
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
  });

  const raw = async (path: string, text: string): Promise<Answer> => {
    const answer = await client.raw('POST', path, text);
    statuses.push(answer.status);
    return answer;
  };
  const payout = (fields: string): Promise<Answer> =>
    raw('/payouts', `{"payeeId":"${payee.id}","currency":"USD","idempotencyKey":"${randomUUID()}",${fields}}`);
  const refused = ({ status, body }: Answer): void => {
    expect([status, body.error]).toEqual([400, 'invalid_request']);
    expect(body.details.fields[0]).toEqual({ path: expect.any(String), message: expect.any(String) });
  };
  const paths = ({ body }: Answer): string[] => body.details.fields.map(({ path }: { path: string }) => path);

  test.each([
    '[]',
    '"x"',
    'null',
    '1',
    'true',
    '{',
    '{"a":1,}',
    '\ufeff{}',
    `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
    `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
  ])('the body %p is none', async (text) => refused(await raw('/payees', text)), 30_000);

  test('an empty body where one is needed is refused with its fields', async () => {
    const answer = await client.raw('POST', '/payouts', undefined);
    refused(answer);
    expect(paths(answer).sort()).toEqual(['amountCents', 'currency', 'idempotencyKey', 'payeeId']);
  });

  test('100,000 keys are refused', async () => {
    const text = JSON.stringify(Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`k${index}`, 1])));
    refused(await raw('/payees', text));
  });

  test('of 1,000 wrong keys the first twenty are named, to clients and to operators', async () => {
    const wrong = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, 1]));
    const answers = [await client.post('/payees', wrong), await operator('PATCH', `/clients/${client.id}`, wrong)];
    for (const answer of answers) {
      refused(answer);
      expect(paths(answer)).toHaveLength(20);
      expect(answer.body.message).toMatch(/there are 98[01] more/);
    }
  });

  test('an operator cannot have a client keep more than it can use', async () => {
    const rails = Array.from({ length: 51 }, (_, index) => `rail_${index}`);
    const floors = Object.fromEntries(rails.map((rail) => [rail, 1]));
    for (const settings of [{ railAllowList: rails }, { floors }, { scopes: rails.map(() => 'payouts:read') }])
      refused(await operator('PATCH', `/clients/${client.id}`, settings));
    refused(
      await operator('PUT', '/routes', { routes: {}, blockedCountries: rails.flatMap(() => rails.map(() => 'US')) }),
    );
  });

  test('a key twice is refused, never the larger amount taken', async () => {
    const answer = await payout('"amountCents":100,"amountCents":99999');
    refused(answer);
    expect(paths(answer)).toEqual(['amountCents']);
  });

  test.each([
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'clientId',
    'payable',
    'kycStatus',
    'status',
    'provider',
    'destination',
    'bankAccount',
  ])('the unknown property %s is refused by name', async (name) => {
    const answer = await payout(`"amountCents":100,"${name}":{"polluted":true}`);
    refused(answer);
    expect(paths(answer)).toEqual([name]);
    expect(({} as Json).polluted).toBeUndefined();
  });

  test('names that every object has are keys of metadata like any other, and reach nothing', async () => {
    const metadata = '{"__proto__":"a","constructor":"b","prototype":"c","toString":"d"}';
    const made = await payout(`"amountCents":100,"metadata":${metadata}`);
    const entries = Object.entries(JSON.parse(metadata) as object);
    const kept = (body: Json): Json => Object.entries(body.metadata).sort();
    expect([made.status, kept(made.body)]).toEqual([201, entries]);
    expect(kept((await client.get(`/payouts/${made.body.id}`)).body)).toEqual(entries);
    const row = `{"payeeId":"${payee.id}","amountCents":100,"currency":"USD","metadata":${metadata}}`;
    const bad = `{"payeeId":"${payee.id}","amountCents":100,"currency":"USD","constructor":"x"}`;
    const batch = await raw('/payouts/batch', `{"idempotencyKey":"${randomUUID()}","items":[${row},${bad}]}`);
    expect(kept(batch.body.results[0].transaction)).toEqual(entries);
    expect(batch.body.results[1]).toMatchObject({ status: 'error', error: 'invalid_row' });
    const known = await raw('/payees', `{"externalId":"${payee.externalId}","metadata":${metadata}}`);
    expect(kept(known.body)).toEqual(entries);
    refused(await payout(`"amountCents":100,"metadata":{"__proto__":{"polluted":true}}`));
    expect((await client.get('/payees')).body.polluted).toBeUndefined();
  });

  test.each([
    '0',
    '-1',
    '-0',
    '0.1',
    '"100"',
    'true',
    'null',
    '[100]',
    '{}',
    '1E400',
    '9007199254740993',
    '1e21',
    '100000000001',
  ])('amountCents %s is refused', async (amount) => {
    const answer = await payout(`"amountCents":${amount}`);
    refused(answer);
    expect(paths(answer)).toEqual(['amountCents']);
  });

  test.each([
    ['1e3', 1000],
    ['1000.0', 1000],
    ['100000000000', 100_000_000_000],
  ])('amountCents %s is %i', async (amount, cents) => {
    const answer = await payout(`"amountCents":${amount}`);
    expect([answer.status, answer.body.amountCents]).toEqual([201, cents]);
  });

  test.each(['usd', 'US', 'USD ', 'ZZZ', 'XXX', 'UЅD', ''])('currency %p is none', async (currency) => {
    const { payeeId = payee.id, ...answer } = { ...(await client.payout(payee.id, { currency })), payeeId: undefined };
    expect(payeeId).toBe(payee.id);
    refused(answer);
  });

  test.each<[string, string, unknown]>([
    ['idempotencyKey', 'empty', ''],
    ['idempotencyKey', 'too long', 'k'.repeat(256)],
    ['idempotencyKey', 'a control character', 'a\u0007b'],
    ['idempotencyKey', 'a number', 7],
    ['idempotencyKey', 'NUL', 'a\0b'],
    ['ref', 'too long', 'r'.repeat(256)],
    ['ref', 'a lone surrogate', 'a\ud800'],
    ['reason', 'too long', 'r'.repeat(1001)],
    ['payeeId', 'no UUID', 'abc'],
    ['payeeId', 'braces', '{01a1fc8f-32b8-73fe-af58-2258e80f991f}'],
    ['payeeId', 'no dashes', '01a1fc8f32b873feaf582258e80f991f'],
    ['metadata', 'a number in it', { a: 1 }],
    ['metadata', '51 values', Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, 'v']))],
    ['metadata', 'a list', ['a']],
    [
      'metadata',
      'more than 32 KiB as JSON',
      Object.fromEntries(Array.from({ length: 12 }, (_, key) => [key, '\u0001'.repeat(500)])),
    ],
  ])('%s with %s is refused', async (field, _, value) => {
    const answer = await client.payout(payee.id, { [field]: value });
    statuses.push(answer.status);
    refused(answer);
  });

  test('fifty values are taken, and line breaks in them are kept', async () => {
    const metadata = Object.fromEntries(
      Array.from({ length: 50 }, (_, key) => [`key ${key}`, `${'v'.repeat(497)}\r\n\t`]),
    );
    const reason = 'March\r\n\troyalties';
    const answer = await client.payout(payee.id, { metadata, reason });
    expect([answer.status, answer.body]).toEqual([201, expect.objectContaining({ metadata, reason })]);
  });

  test.each(['  padded  ', 'ключ-🔑', "'; DROP TABLE payouts; --", '%_\\', 'k'.repeat(255), '🔑'.repeat(255)])(
    'the key %p is kept as it was sent, and is its own',
    async (start) => {
      const idempotencyKey = [...`${start}`].slice(0, 255).join('');
      const answer = await client.payout(payee.id, { idempotencyKey, ref: `=cmd()\r\n<script>${'\u202e'}` });
      expect([answer.status, answer.body.idempotencyKey]).toEqual([201, idempotencyKey]);
      expect(answer.body.ref).toContain('<script>');
    },
  );

  test('keys that differ in case are two keys, and another client’s key is another key', async () => {
    const key = `Case-${randomUUID()}`;
    const [first, second] = [
      await client.payout(payee.id, { idempotencyKey: key }),
      await client.payout(payee.id, { idempotencyKey: key.toLowerCase() }),
    ];
    expect([first.status, second.status]).toEqual([201, 201]);
    const stranger = await newClient();
    const foreign = await stranger.payablePayee();
    expect((await stranger.payout(foreign.id, { idempotencyKey: key })).status).toBe(201);
  });

  test('an id in upper case is the same id', async () => {
    const idempotencyKey = randomUUID();
    const first = await client.payout(payee.id.toUpperCase(), { idempotencyKey });
    const second = await client.payout(payee.id, { idempotencyKey });
    expect([first.status, second.status, second.body.id]).toEqual([201, 200, first.body.id]);
    expect((await client.get(`/payouts/${first.body.id.toUpperCase()}`)).body.id).toBe(first.body.id);
  });

  test.each<[string, Record<string, unknown>]>([
    ['email', { email: 'a@b.c\r\nBcc:x@y.z' }],
    ['email', { email: 'a@b.co, c@d.co' }],
    ['email', { email: 'a:b@c.co;' }],
    ['email', { email: `${'a'.repeat(250)}@b.co` }],
    ['email', { email: '"a b"@c.co' }],
    ['email', { email: 'a@localhost' }],
    ['email', { email: 'a..b@c.co' }],
    ['email', { email: 'ada@exаmple.com' }],
    ['email', { email: 7 }],
    ['country', { country: 'ZZ' }],
    ['country', { country: 'usa' }],
    ['country', { country: 'ſT' }],
    ['country', { country: 'ıE' }],
    ['email', { email: 'a@\u212Aelvin.example.com' }],
    ['name', { name: '' }],
    ['name', { name: 'n'.repeat(201) }],
    ['externalId', { externalId: '' }],
    ['externalId', { externalId: 'e'.repeat(256) }],
    ['externalId', { externalId: 'a\0' }],
    ['externalId', { externalId: undefined }],
  ])('a payee with a bad %s is refused', async (_, fields) => {
    const answer = await client.post('/payees', { externalId: randomUUID(), ...fields });
    statuses.push(answer.status);
    refused(answer);
  });

  test('what is left out stays, null clears', async () => {
    const made = await client.payee({ metadata: { a: 'b' } });
    const same = (await client.post('/payees', { externalId: made.externalId })).body;
    expect(same).toMatchObject({ email: made.email, name: made.name, country: made.country, metadata: { a: 'b' } });
    const cleared = (await client.post('/payees', { externalId: made.externalId, email: null, metadata: null })).body;
    expect(cleared).toMatchObject({ email: null, name: made.name, metadata: {} });
  });

  test.each(['null', '[]', '"x"', '{"x":1}'])('retry and release take no %s', async (text) => {
    const { body } = await client.payout(payee.id);
    refused(await raw(`/payouts/${body.id}/retry`, text));
    refused(await raw(`/payouts/${body.id}/release`, text));
  });

  test.each(['acct_1/../acct_2', 'acct?expand=', '%2e%2e', 'acct#x', 'a'.repeat(1000), ''])(
    'the account id %p is refused',
    async (providerAccountId) => {
      refused(await client.post(`/payees/${payee.id}/methods`, { provider: 'custodial_a', providerAccountId }));
    },
  );

  test('lists refuse bad words by their own codes', async () => {
    const asked = async (path: string) => (await client.get(path)).body.error;
    expect(await asked('/payees?kyc=BOGUS')).toBe('invalid_kyc');
    expect(await asked('/payees?cursor=x')).toBe('invalid_cursor');
    const bySecond = await client.get('/payouts?cursor2=x');
    expect(bySecond.body).toMatchObject({
      error: 'invalid_cursor',
      message: expect.stringContaining('Use nextCursor2 '),
    });
    expect((await client.get('/payouts/nobody')).body.message).toBe('There is no such payout.');
    expect(await asked('/payouts?status=PAID')).toBe('invalid_status');
    for (const cursor of ['x', '1970', '9999-99-99T00:00:00Z', '2026-01-01T00:00:00', "'; --"])
      expect(await asked(`/payouts?cursor=${encodeURIComponent(cursor)}`)).toBe('invalid_cursor');
    for (const limit of ['0', '-1', '1.5', 'abc', ''])
      expect(await asked(`/payouts?limit=${limit}`)).toBe('invalid_request');
    for (const payable of ['TRUE', '1', 'yes'])
      expect((await client.get(`/payees?payable=${payable}`)).status).toBe(200);
    expect((await client.get('/payouts?limit=1000000')).status).toBe(200);
  });
});
