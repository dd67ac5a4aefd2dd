/** What belongs to another tenant is as if it were not there: the same answer, byte for byte, as for nothing at all. */
import { randomUUID } from 'node:crypto';
import { type Answer, type ApiClient, type Json, newClient, operator } from '../harness/api';

describe('tenants', () => {
  const canary = `canary-${randomUUID()}`;
  let owner: ApiClient;
  let stranger: ApiClient;
  let payee: Json;
  let payout: Json;

  beforeAll(async () => {
    [owner, stranger] = [await newClient(), await newClient()];
    payee = await owner.payablePayee({ externalId: canary, name: canary, metadata: { canary } });
    payout = (await owner.payout(payee.id, { idempotencyKey: canary, ref: canary, reason: canary })).body;
  });

  const ROUTES: [string, (id: string) => Promise<Answer>, 'payee' | 'payout'][] = [
    ['GET payee', (id) => stranger.get(`/payees/${id}`), 'payee'],
    ['GET readiness', (id) => stranger.get(`/payees/${id}/readiness`), 'payee'],
    [
      'POST methods',
      (id) => stranger.post(`/payees/${id}/methods`, { provider: 'custodial_a', providerAccountId: 'acct_x' }),
      'payee',
    ],
    ['POST onboarding', (id) => stranger.post(`/test/payees/${id}/onboarding`, { outcome: 'verified' }), 'payee'],
    ['POST payout', (id) => stranger.payout(id, { idempotencyKey: 'k' }), 'payee'],
    ['GET payout', (id) => stranger.get(`/payouts/${id}`), 'payout'],
    ['POST retry', (id) => stranger.post(`/payouts/${id}/retry`), 'payout'],
    ['POST release', (id) => stranger.post(`/payouts/${id}/release`), 'payout'],
    ['POST settle', (id) => stranger.post(`/test/payouts/${id}/settle`), 'payout'],
    ['POST fail', (id) => stranger.post(`/test/payouts/${id}/fail`, { kind: 'permanent' }), 'payout'],
    ['POST return', (id) => stranger.post(`/test/payouts/${id}/return`), 'payout'],
  ];

  test.each(ROUTES)('%s of another tenant is 404, like one that never was', async (_, ask, kind) => {
    const foreign = await ask(kind === 'payee' ? payee.id : payout.id);
    const nothing = await ask(randomUUID());
    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual(nothing.body);
    expect(foreign.body.error).toBe(`${kind}_not_found`);
    expect(JSON.stringify(foreign.body)).not.toContain(canary);
  });

  test.each(ROUTES.filter(([name]) => name !== 'POST payout'))(
    '%s with a malformed id is the same 404',
    async (_, ask, kind) => {
      const answer = await ask('not-an-id');
      expect([answer.status, answer.body.error]).toEqual([404, `${kind}_not_found`]);
    },
  );

  test('lists hold nothing of another tenant, whatever they filter by', async () => {
    const paths = [
      '/payees',
      `/payees?externalId=${canary}`,
      '/payees?email=ada@example.com',
      '/payouts',
      `/payouts?payeeId=${payee.id}`,
      `/payouts?ref=${canary}`,
    ];
    for (const path of paths) expect((await stranger.get(path)).body.data).toEqual([]);
  });

  test('a foreign cursor is only a place in time', async () => {
    for (let count = 0; count < 2; count += 1) await owner.payee();
    const { body } = await owner.get('/payees?limit=1');
    expect(body.nextCursor).toEqual(expect.any(String));
    const answer = await stranger.get(`/payees?cursor=${body.nextCursor}`);
    expect(JSON.stringify(answer.body)).not.toContain(canary);
  });

  test('equal externalIds and keys of two tenants are two things', async () => {
    const mine = await stranger.payee({ externalId: canary });
    expect(mine.id).not.toBe(payee.id);
    expect((await owner.get(`/payees/${payee.id}`)).body.name).toBe(canary);
  });

  test('test helpers are not there for live clients', async () => {
    const live = await newClient({ testMode: false });
    const own = await live.payee();
    const answer = await live.post(`/test/payees/${own.id}/onboarding`, { outcome: 'verified' });
    expect([answer.status, answer.body.error]).toEqual([404, 'payee_not_found']);
  });

  test('a live client never reaches the test rail', async () => {
    const live = await newClient({ testMode: false });
    const own = await live.payee();
    const { status, body } = await live.payout(own.id);
    expect([status, body.status, body.provider]).toEqual([201, 'held', null]);
    expect((await live.get(`/payouts/${body.id}`)).body.statusReason).toBe('no_rail');
  });

  test('client keys open no operator route', async () => {
    const answer = await operator('GET', '/clients', undefined, owner.key);
    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_operator_token']);
  });
});
