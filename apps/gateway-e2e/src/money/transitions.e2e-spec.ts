/** Every row of the tables of transitions, through HTTP; and every trigger that a state does not know, refused. */
import { type PayoutStatus, systemClock, TRANSITIONS } from '#libs/domain';
import { type Answer, type ApiClient, eventually, type Json, newClient, operator, underTest } from '../harness/api';
import { query } from '../harness/database';
import {
  atTheRail,
  movementsOf,
  prepaidClient,
  putRoutes,
  reachesStatus,
  readPayout,
  runJob,
  stepsOf,
} from '../harness/money';

type Make = () => Promise<{ client: ApiClient; id: string }>;

describe('transitions', () => {
  let client: ApiClient;
  let live: ApiClient;
  let payee: Json;
  const seen = new Set<string>();

  beforeAll(async () => {
    await putRoutes();
    [client, live] = [await newClient({ caps: { dailyCents: 1_000_000_000 } }), await newClient({ testMode: false })];
    payee = await client.payablePayee();
  });

  const made = async (
    fields: Record<string, unknown>,
    payeeId = payee.id,
  ): Promise<{ client: ApiClient; id: string }> => ({
    client,
    id: (await client.payout(payeeId, fields)).body.id,
  });
  /** A payout at rest in each state that a caller can find one in. */
  const AT: Record<string, Make> = {
    held: () => made({ amountCents: 1 }),
    'failed transient': () => made({ reason: 'mock:fail_transient' }),
    'failed permanent': () => made({ reason: 'mock:fail_permanent' }),
    submitted: () => made({ reason: 'mock:pending' }),
    paid: () => made({}),
    returned: async () => {
      const paid = await made({});
      await client.post(`/test/payouts/${paid.id}/return`);
      return paid;
    },
  };
  const DO: Record<string, (id: string) => Promise<Answer>> = {
    release: (id) => client.post(`/payouts/${id}/release`),
    retry: (id) => client.post(`/payouts/${id}/retry`),
    cancel: (id) => client.post(`/payouts/${id}/cancel`),
    settle: (id) => client.post(`/test/payouts/${id}/settle`),
    fail: (id) => client.post(`/test/payouts/${id}/fail`, { kind: 'transient' }),
    return: (id) => client.post(`/test/payouts/${id}/return`),
    'operator release': (id) => operator('POST', `/payouts/${id}/release`),
    'operator retry': (id) => operator('POST', `/payouts/${id}/retry`),
    'operator fail': (id) => operator('POST', `/payouts/${id}/fail`),
  };
  const LEGAL: Record<string, Record<string, PayoutStatus>> = {
    held: { release: 'paid', cancel: 'failed', 'operator release': 'paid', 'operator fail': 'failed' },
    'failed transient': { retry: 'failed', 'operator retry': 'failed', 'operator fail': 'failed' },
    'failed permanent': { 'operator fail': 'failed' },
    submitted: { settle: 'paid', fail: 'failed' },
    paid: { return: 'returned' },
    returned: {},
  };
  const CODE: Record<string, string> = {
    release: 'payout_not_releasable',
    retry: 'payout_not_retryable',
    cancel: 'payout_not_cancellable',
    'operator release': 'payout_not_releasable',
    'operator retry': 'payout_not_retryable',
  };
  const PAIRS = Object.keys(AT).flatMap((state) => Object.keys(DO).map((trigger) => [state, trigger] as const));

  const note = async (owner: ApiClient, id: string): Promise<Json> => {
    const payout = await readPayout(owner, id);
    for (const step of stepsOf(payout)) seen.add(step);
    return payout;
  };

  test.each(PAIRS)('%s: %s', async (state, trigger) => {
    const { id } = await (AT[state] as Make)();
    const before = await note(client, id);
    const answer = await DO[trigger]?.(id);
    const after = await note(client, id);
    const to = LEGAL[state]?.[trigger];
    if (to) {
      expect([answer?.status, after.status]).toEqual([200, to]);
      expect(after.events.length).toBeGreaterThan(before.events.length);
    } else {
      expect([answer?.status, answer?.body.error]).toEqual([409, CODE[trigger] ?? 'illegal_transition']);
      expect(after).toEqual(before);
    }
  });

  test('a submitted payout is looked up before a retry or a release is answered', async () => {
    for (const remedy of ['retry', 'release']) {
      const { id } = (await client.payout(payee.id, { reason: 'mock:timeout' })).body;
      const { status } = await client.post(`/payouts/${id}/${remedy}`);
      expect(status).toBe(409);
      expect((await note(client, id)).status).toBe('paid');
      expect(await movementsOf(id)).toBe(1);
    }
  });

  test('what the rail paid after all is not sent again, and counts as paid', async () => {
    for (const [reason, remedy] of [
      ['mock:fail_transient', 'retry'],
      ['mock:insufficient_funds', 'release'],
    ]) {
      const { id } = (await client.payout(payee.id, { reason })).body;
      await atTheRail(id, { state: 'settled', settledAt: '2026-01-01T00:00:00.000Z' });
      expect((await client.post(`/payouts/${id}/${remedy}`)).status).toBe(409);
      const paid = await note(client, id);
      expect([paid.status, paid.events.at(-1).actor]).toEqual(['paid', 'rail']);
    }
  });

  test('what the rail has under way after all goes on from where it was sent, and is not sent again', async () => {
    const { id } = (await client.payout(payee.id, { reason: 'mock:fail_transient' })).body;
    await atTheRail(id, { state: 'accepted' });
    const answer = await client.post(`/payouts/${id}/retry`);
    expect([answer.status, answer.body.error]).toEqual([409, 'payout_not_retryable']);
    expect((await note(client, id)).status).toBe('submitted');
    await atTheRail(id, { state: 'settled', settledAt: '2026-01-01T00:00:00.000Z' });
    await reachesStatus(client, id, 'paid');
    expect(await movementsOf(id)).toBe(1);
  });

  test('what the rail paid although it had refused it for good is named, and an operator says what became of it', async () => {
    const { id } = (await client.payout(payee.id, { reason: 'mock:fail_permanent' })).body;
    const openDrift = async (): Promise<Json> => {
      const { body } = await operator('GET', '/drift?rail=mock&open=true');
      return body.data.find(({ payoutId }: Json) => payoutId === id);
    };
    await atTheRail(id, { state: 'settled', settledAt: systemClock.now().toISOString() });
    await runJob('reconcile');
    const drift = await openDrift();
    expect(drift).toMatchObject({
      kind: 'not_paid_here',
      railCents: 1_000,
      ourCents: 1_000,
      ourStatus: 'failed',
      differenceCents: 1_000,
    });
    expect((await operator('POST', `/drift/${drift.id}/resolve`, { rows: 'paid' })).status).toBe(200);
    expect(stepsOf(await note(client, id)).slice(-1)).toEqual(['failed found_landed failed']);
    await atTheRail(id, { state: 'bounced', feeCents: 25 });
    await client.post(`/payouts/${id}/retry`); // asks the rail
    const back = await openDrift();
    expect(back).toMatchObject({ kind: 'amount_differs', liftingFeeCents: 25 });
    expect((await operator('POST', `/drift/${back.id}/resolve`, { rows: 'owed' })).status).toBe(200);
    expect(stepsOf(await note(client, id)).slice(-1)).toEqual(['failed found_returned failed']);
  });

  test('fail_once succeeds on its retry, under the same code', async () => {
    const { id } = (await client.payout(payee.id, { reason: 'mock:fail_once' })).body;
    expect((await client.post(`/payouts/${id}/retry`)).body.status).toBe('paid');
    expect(stepsOf(await note(client, id)).slice(-2)).toEqual(['failed retry submitted', 'submitted settle paid']);
    expect(await movementsOf(id)).toBe(1);
  });

  test('a retry meets the gates again: a blocked payee is not paid by it', async () => {
    const blocked = await client.payablePayee();
    const { id } = (await client.payout(blocked.id, { reason: 'mock:fail_once' })).body;
    await operator('PATCH', `/payees/${blocked.id}`, { blocked: true });
    expect((await client.post(`/payouts/${id}/retry`)).body.status).toBe('held');
    await note(client, id);
    expect(await movementsOf(id)).toBe(0);
  });

  test('claim rails: sent waits for its payee, is claimed, and settles', async () => {
    const german = await live.payee({ country: 'DE' });
    const { id } = (await live.payout(german.id)).body;
    await reachesStatus(live, id, 'submitted');
    const second = await newClient({ testMode: false, statusVersion: 2 });
    const other = (await second.payout((await second.payee({ country: 'DE' })).id)).body;
    expect(other.status).toBe('sent');
    await reachesStatus(second, other.id, 'awaiting_withdraw');
    for (const payoutId of [id, other.id]) await atTheRail(payoutId, { claimed: true });
    await runJob('reconcile');
    await reachesStatus(second, other.id, 'sent');
    for (const payoutId of [id, other.id])
      await atTheRail(payoutId, { state: 'settled', settledAt: '2026-01-01T00:00:00.000Z' });
    await runJob('reconcile');
    await reachesStatus(second, other.id, 'paid');
    await reachesStatus(live, id, 'paid');
    await note(live, id);
    const words = (await readPayout(second, other.id)).events.map(({ toStatus }: Json) => toStatus);
    expect(words).toEqual(['sent', 'sent', 'awaiting_withdraw', 'awaiting_withdraw', 'sent', 'paid']);
  });

  test('swap rails: a payout waits for its payee until it settles', async () => {
    const second = await newClient({ testMode: false, statusVersion: 2 });
    const { id } = (await second.payout((await second.payee({ country: 'IT' })).id)).body;
    await reachesStatus(second, id, 'awaiting_withdraw');
    await atTheRail(id, { claimed: true });
    await runJob('reconcile');
    expect((await readPayout(second, id)).status).toBe('awaiting_withdraw');
    await atTheRail(id, { state: 'settled', settledAt: '2026-01-01T00:00:00.000Z' });
    await runJob('reconcile');
    await reachesStatus(second, id, 'paid');
  });

  test('the operator flips the words of a client, everywhere at once, and the filter keeps the old ones', async () => {
    const flipped = await newClient({ testMode: false });
    const { id } = (await flipped.payout((await flipped.payee({ country: 'DE' })).id)).body;
    await reachesStatus(flipped, id, 'submitted');
    await operator('PATCH', `/clients/${flipped.id}`, { statusVersion: 2 });
    expect((await reachesStatus(flipped, id, 'awaiting_withdraw')).events[0].toStatus).toBe('sent');
    await eventually(
      () => flipped.get('/payouts?status=submitted'),
      ({ body }) => body.data.length === 1 && body.data[0].status === 'awaiting_withdraw',
    );
    expect((await flipped.get('/payouts?status=sent')).body.error).toBe('invalid_status');
    await operator('PATCH', `/clients/${flipped.id}`, { statusVersion: 1 });
    await reachesStatus(flipped, id, 'submitted');
  });

  test('a payout whose settlement was missed and that came back was paid in between', async () => {
    const { id } = (await client.payout(payee.id, { reason: 'mock:pending' })).body;
    await atTheRail(id, { state: 'bounced', settledAt: '2026-01-01T00:00:00.000Z', feeCents: 30 });
    await runJob('reconcile');
    const payout = await reachesStatus(client, id, 'returned');
    expect(stepsOf(payout).slice(-2)).toEqual(['submitted settle paid', 'paid bounce returned']);
    expect(payout.liftingFeeCents).toBe(30);
  });

  test('a payout of which its rail said only that the money left is told anew once it arrived', async () => {
    const { id } = (await client.payout(payee.id, { reason: 'mock:pending' })).body;
    await atTheRail(id, { state: 'settled', settledAt: null });
    await runJob('reconcile');
    expect(await reachesStatus(client, id, 'paid')).toMatchObject({ settledAt: null });
    await atTheRail(id, { settledAt: '2026-01-01T00:00:00.000Z' });
    await runJob('reconcile');
    const payout = await note(client, id);
    expect(payout).toMatchObject({ status: 'paid', settledAt: '2026-01-01T00:00:00.000Z' });
    expect(stepsOf(payout).slice(-2)).toEqual(['submitted settle paid', 'paid land paid']);
  });

  test('a rail that was authorized and lost is refused, one that refuses later fails or holds', async () => {
    const poor = await prepaidClient(10_000);
    const poorPayee = await poor.payablePayee();
    const { id } = (await poor.payout(poorPayee.id, { reason: 'mock:insufficient_funds' })).body;
    expect((await note(poor, id)).status).toBe('held');
    const anonymous = (await live.payout((await live.payee({ country: 'DE', email: null })).id)).body;
    await live.post(`/payouts/${anonymous.id}/release`);
    await note(live, anonymous.id);
    const unbuilt = (await live.payout((await live.payee({ country: 'BR' })).id)).body;
    await note(live, unbuilt.id);
    const failing = (await live.payout((await live.payee({ country: 'BR', email: null })).id)).body;
    const { body } = await live.get(`/payees/${failing.payeeId}`);
    await live.post('/payees', { externalId: body.externalId, email: 'ada@example.com' });
    expect((await live.post(`/payouts/${failing.id}/release`)).body.status).toBe('failed');
    await note(live, failing.id);
  });

  // What only a hand in the database can bring about is shown with the holds; what happens between two statements, beside the code.
  const ELSEWHERE = [
    'authorized refuse failed',
    'authorized block held',
    'authorized cancel failed',
    'authorized give_up failed',
  ];

  test('every row of the table was taken, and nothing else', async () => {
    const rows = TRANSITIONS.map(({ from, on, to }) => `${from} ${on} ${to}`);
    expect([...seen].filter((step) => !rows.includes(step))).toEqual([]);
    expect(rows.filter((row) => !seen.has(row) && !ELSEWHERE.includes(row))).toEqual([]);
    const { databaseUrl } = underTest();
    const trail = await query<{ step: string }>(
      databaseUrl,
      `SELECT DISTINCT coalesce(from_status, 'null') || ' ' || type || ' ' || to_status AS step FROM payout_trail`,
    );
    expect(trail.map(({ step }) => step).filter((step) => !rows.includes(step))).toEqual([]);
  });
});
