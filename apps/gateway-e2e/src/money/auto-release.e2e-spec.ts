/** Held payouts that go on by themselves once their cause is gone, as far as their client lets them. */
import { AUTO_RELEASED } from '#libs/domain';
import { type ApiClient, eventually, type Json, newClient, operator } from '../harness/api';
import { readPayout, reasonOf, stepsOf } from '../harness/money';

const release = async (): Promise<Json> => (await operator('POST', '/jobs/release/run')).body;
/** Another process may be at it at the same time, and its rail is called by a job: what counts is how the payout stands then. */
const afterRelease = async (client: ApiClient, id: string): Promise<Json> => {
  await release();
  return eventually(
    () => readPayout(client, id),
    ({ status }) => status === 'held' || status === 'paid',
  );
};

describe('what a client lets go on by itself', () => {
  const allowing = (autoRelease: string[], more: Json = {}): Promise<ApiClient> => newClient({ autoRelease, ...more });

  test('is nothing unless it says so', async () => {
    const client = await newClient();
    expect((await operator('GET', `/clients/${client.id}`)).body).toMatchObject({ autoRelease: [], mails: {} });
    const payee = await client.payee();
    const { id } = (await client.payout(payee.id)).body;
    await client.post(`/test/payees/${payee.id}/onboarding`, { outcome: 'verified' });
    expect(await afterRelease(client, id)).toMatchObject({ status: 'held' });
  });

  test('is paid once its payee can be paid, by the system, and left alone before', async () => {
    const client = await allowing(['not_payable']);
    const payee = await client.payee();
    const { id } = (await client.payout(payee.id)).body;
    const before = await afterRelease(client, id);
    expect([before.status, stepsOf(before).length]).toEqual(['held', 2]);
    await client.post(`/test/payees/${payee.id}/onboarding`, { outcome: 'verified' });
    const after = await afterRelease(client, id);
    expect(after).toMatchObject({ status: 'paid' });
    expect(after.events.find(({ type }: Json) => type === 'release')).toMatchObject({ actor: 'system' });
    const balance = await client.get(`/payees/${payee.id}/balance`);
    expect(balance.body).toMatchObject({ landedCents: 1_000, onTheWayCents: 0 });
  });

  test('goes on when what was missing is there', async () => {
    const client = await allowing(['missing_email']);
    const payee = await client.payablePayee({ email: null });
    const { id } = (await client.payout(payee.id)).body;
    expect(reasonOf(await readPayout(client, id))).toBe('missing_email');
    await client.post('/payees', { externalId: payee.externalId, email: 'ada@example.com' });
    expect(await afterRelease(client, id)).toMatchObject({ status: 'paid' });
  });

  test('goes on when a cap is raised, each within it', async () => {
    const client = await allowing(['cap_exceeded_single'], { caps: { singleCents: 500 } });
    const payee = await client.payablePayee();
    const { id } = (await client.payout(payee.id, { amountCents: 800 })).body;
    const more = (await client.payout(payee.id, { amountCents: 5_000 })).body;
    expect(await afterRelease(client, id)).toMatchObject({ status: 'held' });
    await operator('PATCH', `/clients/${client.id}`, { caps: { singleCents: 1_000 } });
    expect(await afterRelease(client, id)).toMatchObject({ status: 'paid' });
    expect(await readPayout(client, more.id)).toMatchObject({ status: 'held' });
  });

  test('goes on when its rail is allowed again, and keeps to the floor', async () => {
    const client = await allowing(['rail_not_allowed'], { railAllowList: ['custodial_a'], floors: { mock: 2_000 } });
    const payee = await client.payablePayee();
    const { id } = (await client.payout(payee.id, { amountCents: 1_000 })).body;
    const { id: enough } = (await client.payout(payee.id, { amountCents: 3_000 })).body;
    await operator('PATCH', `/clients/${client.id}`, { railAllowList: null });
    expect(await afterRelease(client, enough)).toMatchObject({ status: 'paid' });
    expect(reasonOf(await readPayout(client, id))).toBe('below_min_payout');
  });

  test('is not what an operator blocked, nor what a test asked to be held', async () => {
    const client = await allowing(['not_payable']);
    const payee = await client.payablePayee();
    const { id } = (await client.payout(payee.id, { reason: 'mock:hold_not_payable' })).body;
    expect(await afterRelease(client, id)).toMatchObject({ status: 'held' });
    const { status, body } = await operator('PATCH', `/clients/${client.id}`, { autoRelease: ['route_blocked'] });
    expect([status, body.error]).toEqual([400, 'invalid_request']);
    expect(body.details?.fields?.[0]?.message ?? body.message).toContain(AUTO_RELEASED.join(', '));
  });

  test('waits while the client is suspended', async () => {
    const client = await allowing(['not_payable']);
    const payee = await client.payee();
    const { id } = (await client.payout(payee.id)).body;
    await client.post(`/test/payees/${payee.id}/onboarding`, { outcome: 'verified' });
    await operator('PATCH', `/clients/${client.id}`, { status: 'suspended' });
    await release();
    await operator('PATCH', `/clients/${client.id}`, { status: 'active' });
    expect(stepsOf(await readPayout(client, id)).length).toBe(2);
    expect(await afterRelease(client, id)).toMatchObject({ status: 'paid' });
  });

  test.each([[['nonsense']], ['not_payable'], [['not_payable', 'not_payable']], [{}], [[1]]])(
    'is a list of reasons: not %j',
    async (autoRelease) => {
      const client = await newClient();
      expect((await operator('PATCH', `/clients/${client.id}`, { autoRelease })).status).toBe(400);
    },
  );
});
