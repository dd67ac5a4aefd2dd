/** The operators' surface: clients and their credentials, roles, and a log that forgets nothing. */
import { randomUUID } from 'node:crypto';
import { type Answer, ApiClient, eventually, type Json, newClient, operator, underTest } from './harness/api';
import { query } from './harness/database';

const clientOf = (id: string, key: string, secret: string): ApiClient =>
  new ApiClient(id, key, secret, underTest().urls);

describe('the operator surface', () => {
  test('a client needs only a name, and gets the documented defaults', async () => {
    const { status, body } = await operator('POST', '/clients', { name: 'Defaults' });
    expect(status).toBe(201);
    expect(body.client).toMatchObject({
      ...{ name: 'Defaults', status: 'active', testMode: false, statusVersion: 1, webhookUrl: null },
      ...{
        eventTypes: ['payee.updated', 'payout.status'],
        railAllowList: null,
        prepaid: false,
        defaultCurrency: 'USD',
      },
      ...{ caps: {}, floors: {}, withdrawPolicy: {}, rateLimitPerMinute: null },
    });
    expect(body.client.scopes).toHaveLength(8);
    expect(body.apiKey).toMatch(/^gw_live_/);
    expect(body.signingSecret).toMatch(/^whsec_/);
    const read = (await operator('GET', `/clients/${body.client.id}`)).body;
    expect(JSON.stringify(read)).not.toContain(body.apiKey);
    expect(read.keys).toHaveLength(1);
    const { singleCents, dailyCents } = read.effectiveCaps;
    expect([singleCents, dailyCents]).toEqual([expect.any(Number), expect.any(Number)]);
    await operator('PATCH', `/clients/${read.id}`, { caps: { singleCents: 7 } });
    const { effectiveCaps } = (await operator('GET', `/clients/${read.id}`)).body;
    expect(effectiveCaps).toEqual({ singleCents: 7, dailyCents });
  });

  test.each<[string, Json]>([
    ['no name', {}],
    ['an unknown setting', { name: 'x', destination: 'y' }],
    ['an unknown scope', { name: 'x', scopes: ['all'] }],
    ['an unknown event', { name: 'x', eventTypes: ['payout.*'] }],
    ['a third version', { name: 'x', statusVersion: 3 }],
    ['a URL with a password', { name: 'x', webhookUrl: 'https://a:b@example.com/' }],
    ['no URL', { name: 'x', webhookUrl: 'nonsense' }],
    ['caps by another name', { name: 'x', caps: { weeklyCents: 1 } }],
    ['a policy by another name', { name: 'x', withdrawPolicy: { maximum: 1 } }],
  ])('a client with %s is refused', async (_, body) => {
    const answer = await operator('POST', '/clients', body);
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
  });

  test('settings change at once, suspended clients are told so, and test mode stays what it is', async () => {
    const client = await newClient();
    await operator('PATCH', `/clients/${client.id}`, { status: 'suspended' });
    const refused = await client.get('/payees');
    expect([refused.status, refused.body.error]).toEqual([403, 'client_suspended']);
    await operator('PATCH', `/clients/${client.id}`, { status: 'active', statusVersion: 2 });
    await eventually(
      () => client.get('/payees'),
      ({ status }) => status === 200,
    );
    const payee = await client.payablePayee();
    // Of several processes each hears of it in its own time.
    const { body: taken } = await eventually(
      () => client.payout(payee.id, { reason: 'mock:pending' }),
      ({ status }) => status === 201,
    );
    expect(taken.status).toBe('sent');
    const fixed = await operator('PATCH', `/clients/${client.id}`, { testMode: false });
    expect([fixed.status, fixed.body.details.fields[0].path]).toEqual([400, 'testMode']);
    expect((await operator('PATCH', `/clients/${randomUUID()}`, { name: 'x' })).body.error).toBe('client_not_found');
  });

  test.each<[string, Json, string]>([
    ['a floor of an unknown rail', { floors: { mock: 1, mokc: 2 } }, 'floors.mokc'],
    ['a rail that there is not', { railAllowList: ['mock', 'nope'] }, 'railAllowList[1]'],
    ['a floor of a name that every object has', { floors: { constructor: 2 } }, 'floors.constructor'],
    ['a minimum above the maximum', { withdrawPolicy: { minCents: 2, maxCents: 1 } }, 'withdrawPolicy'],
    [
      'that in one source',
      { withdrawPolicy: { perSource: { portal: { minCents: 2, maxCents: 1 } } } },
      'withdrawPolicy',
    ],
    [
      'a source whose minimum is above the general maximum',
      { withdrawPolicy: { maxCents: 1, perSource: { withdraw: { minCents: 2 } } } },
      'withdrawPolicy',
    ],
  ])('%s is refused, when a client is made and when it is changed', async (_, settings, path) => {
    const client = await newClient();
    for (const answer of [
      await operator('POST', '/clients', { name: 'x', ...settings }),
      await operator('PATCH', `/clients/${client.id}`, settings),
    ]) {
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
      expect(answer.body.details.fields[0].path).toBe(path);
    }
  });

  test('floors of all rails there are and limits that leave room are taken', async () => {
    const floors = { mock: 1, claim_rail: 0, custodial_b: 5 };
    const perSource = { portal: { minCents: 3, maxCents: 3 }, withdraw: { maxCents: 9 } };
    const withdrawPolicy = { minCents: 2, maxCents: 4, perSource };
    const { status, body } = await operator('POST', '/clients', { name: 'x', floors, withdrawPolicy });
    expect([status, body.client.floors, body.client.withdrawPolicy]).toEqual([201, floors, withdrawPolicy]);
  });

  test('a closed client is told so, and stays closed', async () => {
    const client = await newClient();
    const change = (body: Json): Promise<Answer> => operator('PATCH', `/clients/${client.id}`, body);
    await change({ status: 'suspended' });
    expect((await change({ status: 'closed' })).body.status).toBe('closed');
    const refused = await eventually(
      () => client.get('/payees'),
      ({ body }) => String(body.message).includes('closed'),
    );
    expect([refused.status, refused.body.error]).toEqual([403, 'client_suspended']);
    for (const status of ['active', 'suspended']) {
      const answer = await change({ status });
      expect([answer.status, answer.body.error]).toEqual([409, 'illegal_transition']);
    }
    expect((await change({ status: 'closed', name: 'Gone' })).body).toMatchObject({ status: 'closed', name: 'Gone' });
  });

  test('two keys work during an overlap, one after it', async () => {
    const client = await newClient();
    const { status, body } = await operator('POST', `/clients/${client.id}/keys`, { overlapSeconds: 2 });
    expect(status).toBe(201);
    const renewed = clientOf(client.id, body.apiKey, client.secret);
    expect([(await client.get('/payees')).status, (await renewed.get('/payees')).status]).toEqual([200, 200]);
    await eventually(
      () => client.get('/payees'),
      (answer) => answer.body.error === 'invalid_api_key',
    );
    expect((await renewed.get('/payees')).status).toBe(200);
  });

  test('a revoked key is refused by every process at once', async () => {
    const client = await newClient();
    const { urls } = underTest();
    for (let index = 0; index < 2 * urls.length; index += 1) await client.get('/payees');
    const { keys } = (await operator('GET', `/clients/${client.id}`)).body;
    expect((await operator('DELETE', `/clients/${client.id}/keys/${keys[0].id}`)).status).toBe(200);
    await eventually(
      () => Promise.all(urls.map(() => client.get('/payees'))),
      (answers) => answers.every(({ body }) => body.error === 'invalid_api_key'),
      1_000,
    );
    expect((await operator('DELETE', `/clients/${client.id}/keys/${randomUUID()}`)).body.error).toBe('key_not_found');
  });

  test('two signing secrets verify during an overlap, one after it', async () => {
    const client = await newClient();
    const { body } = await operator('POST', `/clients/${client.id}/signing-secret`, { overlapSeconds: 2 });
    const renewed = clientOf(client.id, client.key, body.signingSecret);
    await eventually(
      () => renewed.get('/payees'),
      ({ status }) => status === 200,
    );
    expect((await client.get('/payees')).status).toBe(200);
    await eventually(
      () => client.get('/payees'),
      (answer) => answer.body.error === 'invalid_signature',
    );
    expect((await renewed.get('/payees')).status).toBe(200);
  });

  test('each role may do what it may, and a revoked operator nothing', async () => {
    const named = async (role: string) =>
      (await operator('POST', '/operators', { name: `${role} ${randomUUID()}`, role })).body;
    const [viewer, worker, admin] = [await named('viewer'), await named('operator'), await named('admin')];
    const create = (token: string) => operator('POST', '/clients', { name: 'by role' }, token);
    expect((await operator('GET', '/clients', undefined, viewer.token)).status).toBe(200);
    for (const { token } of [viewer, worker]) {
      const refused = await create(token);
      expect([refused.status, refused.body.error]).toEqual([403, 'insufficient_role']);
    }
    expect((await create(admin.token)).status).toBe(201);
    expect((await operator('POST', '/operators', { name: admin.operator.name, role: 'admin' })).body.error).toBe(
      'name_taken',
    );
    await operator('DELETE', `/operators/${admin.operator.id}`);
    const gone = await create(admin.token);
    expect([gone.status, gone.body.error]).toEqual([401, 'invalid_operator_token']);
  });

  test.each(['root', 'Root', 'SYSTEM', 'client', 'payee', 'rail', 'operator', 'First Start'])(
    'nobody can be named %s: the log would not say who it was',
    async (name) => {
      const answer = await operator('POST', '/operators', { name, role: 'admin' });
      expect([answer.status, answer.body.error]).toEqual([409, 'name_taken']);
      const { data } = (await operator('GET', '/audit?limit=50')).body;
      const line = data.find(({ target }: Json) => target === name);
      expect([line?.action, line?.after.error]).toEqual(['operator.create_refused', 'name_taken']);
    },
  );

  test.each(['root\u200b', 'a\nb', '\u202eecarg', 'r\u043eot', ' grace', 'grace ', 'a  b', '', 'a'.repeat(65)])(
    'a name that reads like another, %j, is refused',
    async (name) => {
      const answer = await operator('POST', '/operators', { name, role: 'viewer' });
      expect([answer.status, answer.body.details?.fields?.[0]?.path]).toEqual([400, 'name']);
    },
  );

  test('a name in capitals is the same name', async () => {
    const name = `Grace O'Hopper ${randomUUID()}`;
    const made = await Promise.all(
      [name, name.toUpperCase(), name.toLowerCase()].map((spelling) =>
        operator('POST', '/operators', { name: spelling, role: 'viewer' }),
      ),
    );
    expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  test('operators are listed newest first, page by page', async () => {
    const made: string[] = [];
    for (let index = 0; index < 5; index += 1)
      made.unshift((await operator('POST', '/operators', { name: randomUUID(), role: 'viewer' })).body.operator.id);
    const seen: string[] = [];
    for (let next = ''; seen.length < made.length;) {
      const { data, nextCursor } = (await operator('GET', `/operators?limit=2${next}`)).body;
      expect(data.length).toBeLessThanOrEqual(2);
      seen.push(...data.map(({ id }: Json) => id).filter((id: string) => made.includes(id)));
      if (nextCursor === null) break;
      next = `&cursor=${nextCursor}`;
    }
    expect(seen).toEqual(made);
    expect((await operator('GET', '/operators?cursor=x')).body.error).toBe('invalid_cursor');
    for (const query of ['limit=0', 'page=2'])
      expect((await operator('GET', `/operators?${query}`)).body.error).toBe('invalid_request');
  });

  test.each([undefined, '', 'nonsense', 'gw_op_x'])('the token %p opens nothing', async (token) => {
    const answer = await operator('GET', '/clients', undefined, token ?? ' ');
    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_operator_token']);
  });

  test('every change stands in the audit log, with before and after and without a secret', async () => {
    const client = await newClient();
    await operator('PATCH', `/clients/${client.id}`, { name: 'Renamed' });
    const { body: rotated } = await operator('POST', `/clients/${client.id}/keys`, { overlapSeconds: 60 });
    const { body: sealed } = await operator('POST', `/clients/${client.id}/signing-secret`, {});
    await operator('DELETE', `/clients/${client.id}/keys/${rotated.keyId}`);
    const { body } = await operator('GET', `/audit?clientId=${client.id}`);
    expect(body.data.map(({ action }: Json) => action)).toEqual([
      'client.key_revoked',
      'client.signing_secret_rotated',
      'client.key_rotated',
      'client.updated',
      'client.created',
    ]);
    const [revoked, resealed, newKey, updated] = body.data;
    expect(updated).toMatchObject({ actor: 'root', before: { name: 'e2e' }, after: { name: 'Renamed' } });
    expect(newKey.before.inUse).toEqual([{ id: expect.any(String), expiresAt: null }]);
    expect(newKey.after).toMatchObject({
      inUse: [
        { id: newKey.before.inUse[0].id, expiresAt: expect.any(String) },
        { id: rotated.keyId, expiresAt: null },
      ],
      overlapSeconds: 60,
    });
    expect(resealed.after.inUse).not.toEqual(resealed.before.inUse);
    expect(revoked).toMatchObject({
      target: rotated.keyId,
      before: { revokedAt: null },
      after: { revokedAt: expect.any(String) },
    });
    for (const secret of [client.key, client.secret, rotated.apiKey, sealed.signingSecret])
      expect(JSON.stringify(body)).not.toContain(secret);
  });

  test.each([
    'UPDATE audit_log SET actor = $$x$$',
    'DELETE FROM audit_log',
    'TRUNCATE audit_log',
    'DELETE FROM payout_trail',
  ])('%s is refused by the database', async (sql) => {
    await expect(query(underTest().databaseUrl, sql)).rejects.toMatchObject({ code: '42501' });
  });

  test('no key, secret or token stands in the database', async () => {
    const client = await newClient();
    const rows = await query(
      underTest().databaseUrl,
      `SELECT coalesce(string_agg(t::text, ' '), '') AS text FROM (
         SELECT k::text AS t FROM client_keys k UNION ALL SELECT s::text FROM signing_secrets s UNION ALL SELECT c::text FROM clients c
         UNION ALL SELECT a::text FROM audit_log a UNION ALL SELECT o::text FROM operators o) everything`,
    );
    const { text } = rows[0] as { text: string };
    for (const secret of [client.key, client.secret, underTest().operatorToken]) expect(text).not.toContain(secret);
  });

  test('secrets are sealed anew without anybody noticing', async () => {
    const client = await newClient();
    const { body } = await operator('POST', '/master-key/rewrap');
    expect(body.checked).toBeGreaterThan(0);
    expect(body.rewrapped).toBe(0); // there is one master key, and it sealed them all
    expect((await client.get('/payees')).status).toBe(200);
  });
});
