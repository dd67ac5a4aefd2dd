/** What belongs to another tenant is as if it were not there: the same answer, byte for byte, as for nothing at all. */
import { randomUUID } from 'node:crypto';
import { type Answer, type ApiClient, type Json, newClient, operator } from '../harness/api';
import { owe } from '../harness/owed';

const ERRORS = {
  payee: 'payee_not_found',
  payout: 'payout_not_found',
  disbursement: 'disbursement_not_found',
  replacement_transaction: 'replacement_transaction_not_found',
  event: 'event_not_found',
};

/** Where an id that is none is a field that is wrong. */
const IN_BODIES = /^POST (payout|recovery-link.*)$/;

describe('tenants', () => {
  const canary = `canary-${randomUUID()}`;
  let owner: ApiClient;
  let stranger: ApiClient;
  let payee: Json;
  let payout: Json;
  let row: Json;
  let event: Json;
  /** The stranger's own, for links between what is theirs and what is not. */
  let own: { payout: Json; row: Json };

  beforeAll(async () => {
    [owner, stranger] = [await newClient(), await newClient()];
    payee = await owner.payablePayee({ externalId: canary, name: canary, metadata: { canary } });
    payout = (await owner.payout(payee.id, { idempotencyKey: canary, ref: canary, reason: canary })).body;
    [row] = await owe(owner, payee.id, [700]);
    [event] = (await owner.get('/events')).body.data;
    const theirs = await stranger.payablePayee();
    own = { payout: (await stranger.payout(theirs.id)).body, row: (await owe(stranger, theirs.id, [700]))[0] };
  });

  const link = (replacementTransactionId: string, id: string): Promise<Answer> =>
    stranger.post('/disbursements/recovery-link', { replacementTransactionId, disbursementIds: [id] });

  const ROUTES: [string, (id: string) => Promise<Answer>, keyof typeof ERRORS][] = [
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
    ['POST claim', (id) => stranger.post(`/test/payouts/${id}/claim`, { destination: 'mock_wallet_1' }), 'payout'],
    ['POST cancel', (id) => stranger.post(`/payouts/${id}/cancel`), 'payout'],
    ['GET balance', (id) => stranger.get(`/payees/${id}/balance`), 'payee'],
    ['POST withdraw', (id) => stranger.post(`/payees/${id}/withdraw`), 'payee'],
    ['POST portal-link', (id) => stranger.post(`/payees/${id}/portal-link`), 'payee'],
    [
      'POST onboarding-link',
      (id) => stranger.post(`/payees/${id}/onboarding-link`, { returnUrl: 'https://app.example/', mode: 'redirect' }),
      'payee',
    ],
    ['GET disbursement', (id) => stranger.get(`/disbursements/${id}`), 'disbursement'],
    ['POST recovery-link of a row', (id) => link(own.payout.id, id), 'disbursement'],
    ['POST recovery-link to a payout', (id) => link(id, own.row.id), 'replacement_transaction'],
    ['GET event', (id) => stranger.get(`/events/${id}`), 'event'],
    ['POST replay', (id) => stranger.post(`/events/${id}/replay`, {}), 'event'],
  ];

  test.each(ROUTES)('%s of another tenant is 404, like one that never was', async (_, ask, kind) => {
    const ids = { payee, payout, disbursement: row, replacement_transaction: payout, event };
    const foreign = await ask(ids[kind].id);
    const nothing = await ask(randomUUID());
    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual(nothing.body);
    expect(foreign.body.error).toBe(ERRORS[kind]);
    expect(JSON.stringify(foreign.body)).not.toContain(canary);
  });

  test.each(ROUTES.filter(([name]) => !IN_BODIES.test(name)))(
    '%s with a malformed id is the same 404',
    async (_, ask, kind) => {
      const answer = await ask('not-an-id');
      expect([answer.status, answer.body.error]).toEqual([404, ERRORS[kind]]);
    },
  );

  test('rows of many name a payee of another tenant as they name one that never was', async () => {
    const money = { amountCents: 500, currency: 'USD' };
    const asks = [
      (payeeId: string) =>
        stranger.post('/payouts/batch', { idempotencyKey: randomUUID(), items: [{ payeeId, ...money }] }),
      (payeeId: string) =>
        stranger.post('/disbursements', { items: [{ payeeId, ...money, externalRef: randomUUID() }] }),
    ];
    for (const ask of asks)
      for (const id of [payee.id, randomUUID()])
        expect((await ask(id)).body.results).toEqual([
          { index: 0, status: 'error', error: 'payee_not_found', message: `There is no such payee: ${id}.` },
        ]);
    expect((await owner.get(`/payees/${payee.id}/balance`)).body.withdrawableCents).toBe(700);
  });

  test('lists hold nothing of another tenant, whatever they filter by', async () => {
    const paths = [
      '/payees',
      `/payees?externalId=${canary}`,
      '/payees?email=ada@example.com',
      '/payouts',
      `/payouts?payeeId=${payee.id}`,
      `/payouts?ref=${canary}`,
    ];
    const nobody = await newClient();
    for (const path of paths) expect((await nobody.get(path)).body.data).toEqual([]);
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
