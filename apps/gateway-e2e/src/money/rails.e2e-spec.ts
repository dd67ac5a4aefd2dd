/** What rails tell us by themselves, what they moved that we know otherwise, and what operators see of it. */
import { createHmac, randomUUID } from 'node:crypto';
import {
  type Answer,
  type ApiClient,
  eventually,
  type Json,
  newClient,
  operator,
  send,
  underTest,
} from '../harness/api';
import { query } from '../harness/database';
import { atTheRail, fundRail, payeeWithAccount, putRoutes, reachesStatus, readPayout, runJob } from '../harness/money';

const SETTLED = { state: 'settled', settledAt: '2026-01-01T00:00:00.000Z' };
const { databaseUrl, urls } = underTest();

describe('rails', () => {
  let live: ApiClient;
  let payee: Json;

  beforeAll(async () => {
    await putRoutes();
    live = await newClient({ testMode: false, caps: { dailyCents: 1_000_000_000 } });
    payee = await live.payee({ country: 'IT' });
  });

  const submitted = async (): Promise<string> => {
    const { id } = (await live.payout(payee.id)).body;
    await reachesStatus(live, id, 'submitted');
    // Asked a moment ago, its job now waits: what is learned next is learned from the notice or the scan.
    await query(databaseUrl, `UPDATE jobs SET run_at = now() + interval '1 hour' WHERE entity_id = $1`, [id]);
    return id;
  };
  /** What readers of a payout had asked of its rail: soon, or within a minute if it waits for its payee. */
  const questions = (id: string, change: string, returning = ''): Promise<Json[]> =>
    query(databaseUrl, `${change} WHERE name = 'payout.look_for_reader' AND entity_id = $1 ${returning}`, [id]);
  const railKeyOf = async (id: string): Promise<string> =>
    (await query<{ rail_key: string }>(databaseUrl, 'SELECT rail_key FROM payouts WHERE id = $1', [id]))[0]?.rail_key ??
    '';
  const notify = (body: unknown, signature?: string, rail = 'swap_rail'): Promise<Answer> => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const genuine = createHmac('sha256', 'stand-in').update(text).digest('hex');
    return send(`${urls[0]}/rails/v1/${rail}/notices`, 'POST', { 'x-stand-in-signature': signature ?? genuine }, text);
  };

  test('a notice makes the rail be asked; what it says itself counts for nothing', async () => {
    const id = await submitted();
    const railKeys = [await railKeyOf(id)];
    expect((await notify({ id: randomUUID(), railKeys, status: 'paid' })).status).toBe(200);
    await eventually(
      () => query(databaseUrl, `SELECT FROM jobs WHERE name = 'payout.look' AND entity_id = $1`, [id]),
      (jobs) => jobs.length === 0,
    );
    expect((await readPayout(live, id)).status).toBe('submitted');
    await atTheRail(id, SETTLED);
    await notify({ id: randomUUID(), railKeys });
    await reachesStatus(live, id, 'paid');
  });

  test('a provider may ask first whether its notices are taken', async () => {
    const asked = async (method: string, rail: string): Promise<number> =>
      (await fetch(`${urls[0]}/rails/v1/${rail}/notices`, { method })).status;
    expect(await Promise.all(['HEAD', 'GET'].map((method) => asked(method, 'swap_rail')))).toEqual([200, 200]);
    expect(await Promise.all(['HEAD', 'GET'].map((method) => asked(method, 'nobody')))).toEqual([404, 404]);
  });

  test('forged, repeated, unreadable and lost notices change nothing', async () => {
    const id = await submitted();
    await atTheRail(id, SETTLED);
    const notice = { id: randomUUID(), railKeys: [await railKeyOf(id)] };
    expect((await notify(notice, '0'.repeat(64))).body.error).toBe('invalid_signature');
    expect((await notify(notice, '')).body.error).toBe('invalid_signature');
    expect((await notify('no json')).body.error).toBe('invalid_request');
    expect((await notify(notice, undefined, 'mock')).body.error).toBe('not_found');
    expect((await notify(notice, undefined, 'nobody')).body.error).toBe('not_found');
    expect((await notify({ id: randomUUID(), railKeys: ['gw_unknown'] })).status).toBe(200);
    expect((await readPayout(live, id)).status).toBe('submitted');
    const answers = await Promise.all(Array.from({ length: 20 }, () => notify(notice)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const payout = await reachesStatus(live, id, 'paid');
    expect(payout.events.filter(({ toStatus }: Json) => toStatus === 'paid')).toHaveLength(1);
  });

  test('a notice that names what is no code is refused, and not taken for trouble of ours', async () => {
    for (const notice of [
      { id: 'a\0', railKeys: [] },
      { id: randomUUID(), railKeys: ['a\0b'] },
      { id: randomUUID(), railKeys: ['\ud800'] },
      { id: randomUUID(), railKeys: [''] },
      { id: randomUUID(), railKeys: Array.from({ length: 5_001 }, (_, index) => String(index)) },
    ]) {
      const answer = await notify(notice);
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
    }
  });

  test('notices about the same payouts in another order are all taken, beside codes that nobody knows', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => submitted()));
    const known = await Promise.all(ids.map((id) => railKeyOf(id)));
    await Promise.all(ids.map((id) => atTheRail(id, SETTLED)));
    const railKeys = [...known, ...Array.from({ length: 2_000 }, (_, index) => `gw${index}`)];
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        notify({ id: randomUUID(), railKeys: index % 2 ? railKeys : [...railKeys].reverse() }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    for (const id of ids) await reachesStatus(live, id, 'paid');
  });

  test('a payout that has been submitted for long is looked up when somebody reads it', async () => {
    const id = await submitted();
    await atTheRail(id, SETTLED);
    expect((await readPayout(live, id)).status).toBe('submitted');
    await query(databaseUrl, `UPDATE payouts SET updated_at = now() - interval '2 minutes' WHERE id = $1`, [id]);
    await readPayout(live, id);
    expect(await questions(id, 'UPDATE jobs SET run_at = now()', 'RETURNING name')).toHaveLength(1);
    await reachesStatus(live, id, 'paid');
  });

  test('however many read it, the rail is asked once in a few seconds', async () => {
    const id = await submitted();
    await query(databaseUrl, `UPDATE payouts SET updated_at = now() - interval '2 minutes' WHERE id = $1`, [id]);
    const readByMany = (): Promise<Json> => Promise.all(Array.from({ length: 20 }, () => readPayout(live, id)));
    await readByMany();
    expect(await questions(id, `SELECT run_at - created_at > interval '1 second' AS waits FROM jobs`)).toEqual([
      { waits: true },
    ]);
    await questions(
      id,
      `UPDATE jobs SET lease_token = gen_random_uuid(), run_at = now() + interval '1 hour', version = 1`,
    );
    await readByMany();
    // Under way, the question answers those too who ask meanwhile: nothing more is to be done after it.
    expect(await questions(id, 'SELECT version FROM jobs')).toEqual([{ version: 1 }]);
    await atTheRail(id, SETTLED);
    await questions(id, 'UPDATE jobs SET lease_token = NULL, run_at = now()');
    await reachesStatus(live, id, 'paid');
  });

  test('money that we know nothing of, money that differs and money that never moved are named to the cent', async () => {
    const orphan = `gw${randomUUID()}`;
    const record = {
      ...SETTLED,
      settledAt: '2026-11-01T00:00:00.000Z',
      providerRef: 'ref-1',
      amountCents: 777,
      currency: 'USD',
    };
    await query(databaseUrl, `INSERT INTO rail_records (rail, key, value) VALUES ('swap_rail', $1, $2)`, [
      `payment:${orphan}`,
      JSON.stringify(record),
    ]);
    const differing = await submitted();
    await atTheRail(differing, { ...SETTLED, amountCents: 1_003 });
    const unmoved = await submitted();
    await atTheRail(unmoved, SETTLED);
    await runJob('reconcile');
    await reachesStatus(live, unmoved, 'paid');
    await atTheRail(unmoved, { state: 'accepted', settledAt: null });
    await query(databaseUrl, `UPDATE payouts SET updated_at = now() - interval '6 minutes' WHERE id = $1`, [unmoved]);
    const { did } = await runJob('reconcile');
    expect(did).toMatchObject({
      asked: expect.any(Number),
      driftFound: expect.any(Number),
      compared: expect.any(Number),
    });
    const { body } = await operator('GET', '/drift?rail=swap_rail&open=true');
    const of = (railKey: string): Json => body.data.find((row: Json) => row.railKey === railKey);
    expect(of(orphan)).toMatchObject({
      kind: 'unknown_here',
      payoutId: null,
      railCents: 777,
      railCurrency: 'USD',
      differenceCents: 777,
      resolvedAt: null,
    });
    expect(of(await railKeyOf(differing))).toMatchObject({
      kind: 'amount_differs',
      payoutId: differing,
      railCents: 1_003,
      ourCents: 1_000,
      differenceCents: 3,
    });
    expect(of(await railKeyOf(unmoved))).toMatchObject({
      kind: 'not_moved_there',
      ourCents: 1_000,
      differenceCents: -1_000,
    });
    expect((await readPayout(live, differing)).status).toBe('submitted');
    await atTheRail(differing, { amountCents: 1_000 });
    await atTheRail(unmoved, SETTLED);
    await runJob('reconcile');
    await reachesStatus(live, differing, 'paid');
    const { body: later } = await operator('GET', '/drift?rail=swap_rail&open=true');
    expect(later.data.map(({ railKey }: Json) => railKey)).toContain(orphan);
    for (const id of [differing, unmoved]) expect(later.data.map(({ payoutId }: Json) => payoutId)).not.toContain(id);
  });

  test('GET /rails tells how each rail stands', async () => {
    await fundRail('custodial_b', 'USD', 123_456);
    const ask = (): Promise<Answer> => operator('GET', '/rails'); // whoever asked before may have had another answer kept
    const { body } = await eventually(ask, (answer) => JSON.stringify(answer).includes('123456'));
    const rail = (name: string): Json => body.data.find((row: Json) => row.name === name);
    expect(body.nextCursor).toBeNull();
    expect(rail('mock')).toMatchObject({ implemented: true, configured: true, funding: null });
    expect(rail('unwired_rail')).toMatchObject({
      configured: false,
      missingSettings: ['UNWIRED_RAIL_KEY'],
      funding: null,
    });
    expect(rail('custodial_b').funding).toContainEqual({ currency: 'USD', availableCents: 123_456 });
  });

  test('PUT /routes replaces the table, is on record, and takes no nonsense', async () => {
    const { body } = await operator('GET', '/routes');
    expect(body).toMatchObject({ routes: { DE: ['claim_rail'] }, blockedCountries: ['KP'] });
    for (const wrong of [
      {},
      { routes: [] },
      { routes: { ZZ: ['mock'] } },
      { routes: { de: ['mock'] } },
      { routes: { DE: 'mock' } },
      { routes: { DE: ['Not A Rail'] } },
      { routes: { DE: ['claim_rail', 'swap_rail', 'claim_rail'] } },
      { routes: { DE: ['claim_rail', 'mock'] } },
      { routes: {}, blockedCountries: ['*'] },
      { routes: {}, more: 1 },
    ])
      expect((await operator('PUT', '/routes', wrong)).body.error).toBe('invalid_request');
    await putRoutes();
    const audit = (await operator('GET', '/audit?limit=100')).body.data;
    expect(audit.find(({ action }: Json) => action === 'routes.changed').after).toContainEqual({
      country: 'DE',
      rails: ['claim_rail'],
      blocked: false,
    });
  });

  test('a sanction stays, whoever changes the routes at the same moment without a word about it', async () => {
    const { routes } = (await operator('GET', '/routes')).body;
    try {
      for (let round = 0; round < 10; round += 1) {
        await operator('PUT', '/routes', { routes, blockedCountries: ['KP'] });
        await Promise.all([
          operator('PUT', '/routes', { routes, blockedCountries: ['KP', 'IR'] }),
          operator('PUT', '/routes', { routes }),
        ]);
        expect((await operator('GET', '/routes')).body.blockedCountries).toEqual(['IR', 'KP']);
      }
    } finally {
      await putRoutes();
    }
  });

  test('operators search the payouts of all clients', async () => {
    const ref = randomUUID();
    const other = await newClient();
    await live.payout(payee.id, { ref });
    await other.payout((await other.payablePayee()).id, { ref });
    const both = (await operator('GET', `/payouts?ref=${ref}`)).body.data;
    expect(both.map(({ clientId }: Json) => clientId)).toEqual([other.id, live.id]);
    const one = (await operator('GET', `/payouts?ref=${ref}&clientId=${live.id}`)).body.data;
    expect(one).toHaveLength(1);
    const page = (await operator('GET', `/payouts?ref=${ref}&limit=1`)).body;
    const next = (await operator('GET', `/payouts?ref=${ref}&limit=1&cursor=${page.nextCursor}`)).body;
    expect([page.data[0].id, next.data[0].id]).toEqual(both.map(({ id }: Json) => id));
    expect((await operator('GET', `/payouts/${both[0].id}`)).body).toMatchObject({ ref, railKey: expect.any(String) });
    expect((await operator('GET', `/payouts/${randomUUID()}`)).body.error).toBe('payout_not_found');
    expect((await operator('GET', '/payouts?status=sent')).body.error).toBe('invalid_status');
  });

  test('only operators of the role change anything, and only jobs that exist run', async () => {
    const token = (await operator('POST', '/operators', { name: `v-${randomUUID()}`, role: 'viewer' })).body.token;
    const id = randomUUID();
    for (const [method, path, body] of [
      ['POST', `/payouts/${id}/release`, undefined],
      ['POST', `/payouts/${id}/retry`, undefined],
      ['POST', `/payouts/${id}/fail`, undefined],
      ['PATCH', `/payees/${id}`, { blocked: true }],
      ['PUT', '/routes', { routes: {} }],
      ['POST', '/jobs/sweep/run', undefined],
    ] as const)
      expect((await operator(method, path, body, token)).body.error).toBe('insufficient_role');
    expect((await operator('GET', '/drift', undefined, token)).status).toBe(200);
    expect((await operator('POST', '/jobs/nothing/run')).body.error).toBe('not_found');
    for (const name of ['reconcile', 'sweep', 'payability', 'webhooks', 'release'])
      expect(await runJob(name)).toMatchObject({ name, did: expect.any(Object) });
  });

  test('a payee whose rail became another is told and listed so', async () => {
    const narrow = await newClient({ testMode: false, railAllowList: ['claim_rail'] });
    const french = await narrow.payee({ country: 'CH' });
    expect(french.payable).toBe(false);
    const withAccount = await payeeWithAccount(narrow, 'custodial_a', undefined, { country: 'FR' });
    expect(withAccount).toMatchObject({ provider: 'custodial_a', payable: true, kycStatus: 'verified' });
  });
});
