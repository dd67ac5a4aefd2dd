/** One payout through everything: payee, onboarding, payment, events, and what each of them reads like afterwards. */
import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook } from '#libs/sdk';
import { type ApiClient, eventually, type Json, newClient } from './harness/api';
import { WebhookCatcher } from './harness/webhook-catcher';

describe('the first line through everything', () => {
  const catcher = new WebhookCatcher();
  let client: ApiClient;

  beforeAll(async () => {
    await catcher.start();
    client = await newClient({ webhookUrl: catcher.url });
  });
  afterAll(() => catcher.stop());

  const eventsOf = (id: string): Json[] =>
    catcher.received
      .map(({ json }) => json as Json)
      .filter((event) => event.transactionId === id || event.payeeId === id);

  test('a payee becomes payable, is paid once, and every step is told in order and signed', async () => {
    const payee = await client.payee({ email: 'ADA@Example.com', country: 'us', metadata: { team: 'a' } });
    expect(payee).toMatchObject({ email: 'ada@example.com', country: 'US', payable: false, provider: 'mock' });
    expect(payee).toMatchObject({ kycStatus: 'not_started', onboardingStatus: 'not_started', kycReason: null });

    const before = (await client.get(`/payees/${payee.id}/readiness`)).body;
    expect(before).toMatchObject({ payable: false, provider: 'mock', blockers: ['kyc_incomplete', 'not_payable'] });

    const held = await client.payout(payee.id);
    expect(held.status).toBe(201);
    expect(held.body).toMatchObject({ status: 'held', failureKind: 'transient', retryable: false, provider: 'mock' });

    await client.post(`/test/payees/${payee.id}/onboarding`, { outcome: 'verified' });
    expect((await client.get(`/payees/${payee.id}/readiness`)).body).toMatchObject({ payable: true, blockers: [] });

    const released = await client.post(`/payouts/${held.body.id}/release`);
    expect(released.status).toBe(200);
    expect(released.body).toMatchObject({ id: held.body.id, status: 'paid', failureKind: null });

    const { body: detail } = await client.get(`/payouts/${held.body.id}`);
    expect(detail.events.map((event: Json) => event.toStatus)).toEqual([
      'requested',
      'held',
      'authorized',
      'submitted',
      'paid',
    ]);
    expect(detail.events[1]).toMatchObject({ statusReason: 'not_payable', failureKind: 'transient', actor: 'client' });
    expect(detail.statusReason).toBeNull();

    await eventually(
      async () => eventsOf(held.body.id).filter(({ type }) => type === 'payout.status').length,
      (count) => count === 5,
    );
    const told = eventsOf(held.body.id).filter(({ type }) => type === 'payout.status');
    expect(told.map(({ status }) => status)).toEqual(['requested', 'held', 'authorized', 'submitted', 'paid']);
    expect(told.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
    const [updated] = await eventually(
      async () => eventsOf(payee.id).filter(({ type, payable }) => type === 'payee.updated' && payable),
      (events) => events.length > 0,
    );
    expect(updated).toMatchObject({ kycStatus: 'verified', externalId: payee.externalId });
  });

  test('both signatures of a delivered event verify, ours and Standard Webhooks', async () => {
    const payee = await client.payablePayee();
    await client.payout(payee.id);
    const delivery = await catcher.waitFor(({ json }) => (json as Json).payeeId === payee.id);
    const headers = delivery.headers as Record<string, string>;
    expect(() => verifyWebhook(delivery.rawBody, headers, [client.secret])).not.toThrow();
    expect(() => new Webhook(client.secret).verify(delivery.rawBody.toString(), headers)).not.toThrow();
    expect(headers['x-gw-event-id']).toBe((delivery.json as Json).eventId);
  });

  test('a repeated key answers the original, another body a conflict', async () => {
    const payee = await client.payablePayee();
    const wish = { idempotencyKey: randomUUID(), ref: 'r-1', reason: 'bonus' };
    const first = await client.payout(payee.id, wish);
    const again = await client.payout(payee.id, wish);
    const other = await client.payout(payee.id, { ...wish, amountCents: 1001 });
    expect([first.status, again.status, other.status]).toEqual([201, 200, 422]);
    expect(again.body).toEqual(first.body);
    expect(other.body.error).toBe('idempotency_conflict');
  });

  test.each([
    ['mock:fail_transient', { status: 'failed', failureKind: 'transient', retryable: true }],
    ['mock:fail_permanent', { status: 'failed', failureKind: 'permanent', retryable: false }],
    ['mock:insufficient_funds', { status: 'held', failureKind: 'transient', retryable: false }],
    ['mock:pending', { status: 'submitted', failureKind: null, retryable: false }],
    ['mock:timeout', { status: 'submitted', failureKind: null, retryable: false }],
    ['anything else', { status: 'paid', failureKind: null, retryable: false }],
  ])('the mock rail does what %s asks for', async (reason, expected) => {
    const payee = await client.payablePayee();
    expect((await client.payout(payee.id, { reason })).body).toMatchObject(expected);
  });

  test('an outcome nobody knew is settled once the rail was asked', async () => {
    const payee = await client.payablePayee();
    const { body } = await client.payout(payee.id, { reason: 'mock:timeout' });
    const paid = await eventually(
      () => client.get(`/payouts/${body.id}`),
      (answer) => answer.body.status === 'paid',
      20_000,
    );
    expect(paid.body.events.map((event: Json) => event.toStatus)).toEqual([
      'requested',
      'authorized',
      'submitted',
      'paid',
    ]);
  });

  test('a payout comes back with its fee, and the event says what is restored', async () => {
    const payee = await client.payablePayee();
    const { body } = await client.payout(payee.id, { reason: 'mock:return' });
    const returned = await eventually(
      () => client.get(`/payouts/${body.id}`),
      (answer) => answer.body.status === 'returned',
    );
    expect(returned.body).toMatchObject({ liftingFeeCents: 25 });
    const told = await catcher.waitFor(
      ({ json }) => (json as Json).transactionId === body.id && (json as Json).status === 'returned',
      15_000,
    );
    expect(told.json).toMatchObject({ liftingFeeCents: 25, restoredCents: 975 });
  });

  test('a passing failure can be tried again, a lasting one cannot', async () => {
    const payee = await client.payablePayee();
    const once = (await client.payout(payee.id, { reason: 'mock:fail_once' })).body;
    expect((await client.post(`/payouts/${once.id}/retry`)).body).toMatchObject({ id: once.id, status: 'paid' });
    const lasting = (await client.payout(payee.id, { reason: 'mock:fail_permanent' })).body;
    const refused = await client.post(`/payouts/${lasting.id}/retry`);
    expect([refused.status, refused.body.error]).toEqual([409, 'payout_not_retryable']);
    const notHeld = await client.post(`/payouts/${once.id}/release`);
    expect([notHeld.status, notHeld.body.error]).toEqual([409, 'payout_not_releasable']);
  });

  test('the test helpers settle, fail and return', async () => {
    const payee = await client.payablePayee();
    const pending = async (): Promise<string> => (await client.payout(payee.id, { reason: 'mock:pending' })).body.id;
    expect((await client.post(`/test/payouts/${await pending()}/settle`)).body.status).toBe('paid');
    expect((await client.post(`/test/payouts/${await pending()}/fail`, { kind: 'permanent' })).body).toMatchObject({
      status: 'failed',
      failureKind: 'permanent',
    });
    const paid = (await client.payout(payee.id)).body.id;
    expect((await client.post(`/test/payouts/${paid}/return`, { liftingFeeCents: 7 })).body).toMatchObject({
      status: 'returned',
      liftingFeeCents: 7,
    });
    expect((await client.post(`/test/payouts/${paid}/settle`)).body.error).toBe('illegal_transition');
    const held = (await client.payout(payee.id, { reason: 'mock:insufficient_funds' })).body.id;
    for (const [helper, body] of [['settle'], ['fail', { kind: 'permanent' }], ['return']] as const) {
      const refused = await client.post(`/test/payouts/${held}/${helper}`, body);
      expect([refused.status, refused.body.error]).toEqual([409, 'illegal_transition']);
    }
  });

  test('a version 2 client reads version 2 words, in answers, trails and events', async () => {
    const second = await newClient({ statusVersion: 2, webhookUrl: catcher.url });
    const payee = await second.payablePayee();
    const { body } = await second.payout(payee.id, { reason: 'mock:pending' });
    expect(body.status).toBe('sent');
    const { body: detail } = await second.get(`/payouts/${body.id}`);
    expect(detail.events.map((event: Json) => event.toStatus)).toEqual(['sent', 'sent', 'sent']);
    const { body: list } = await second.get('/payouts?status=submitted');
    expect(list.data.map((payout: Json) => payout.status)).toEqual(['sent']);
    expect((await second.get('/payouts?status=sent')).body.error).toBe('invalid_status');
    await catcher.waitFor(
      ({ json }) => (json as Json).transactionId === body.id && (json as Json).status === 'sent',
      15_000,
    );
  });

  test('events nobody subscribed to are recorded and not delivered', async () => {
    const quiet = await newClient({ webhookUrl: catcher.url, eventTypes: ['payee.updated'] });
    const payee = await quiet.payablePayee();
    const { body } = await quiet.payout(payee.id);
    await catcher.waitFor(({ json }) => (json as Json).payeeId === payee.id);
    expect(catcher.received.some(({ json }) => (json as Json).transactionId === body.id)).toBe(false);
  });
});
