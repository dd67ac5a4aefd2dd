/** People are paid through PayPal, simulated: the shipped gateway, its own rail, real HTTP between all of them. */
import { randomUUID } from 'node:crypto';
import { type ApiClient, eventually, type Json, newClient, operator } from '../harness/api';
import { query } from '../harness/database';
import { brokenInvariants, RAILS_KEPT_HERE } from '../harness/invariants';
import { readPayout, reasonOf } from '../harness/money';
import { owe, standing, withdraw } from '../harness/owed';
import { type RailService, type RailSandbox, startRailService, stopRailService } from '../harness/rail-sandbox';
import { SeenFaults } from '../harness/seen-faults';
import { WebhookCatcher } from '../harness/webhook-catcher';

const RAIL = 'claim_rail';
const CREATE = { method: 'POST', path: '/v1/payments/payouts' };
const PAID = `SELECT coalesce(sum(amount_cents), 0) AS cents FROM payouts WHERE client_id = $1 AND status = 'paid'`;
const DAILY_CENTS = 100_000_000;

describe('claim_rail, by a simulated PayPal', () => {
  const seen = new SeenFaults(RAIL);
  let service: RailService;
  let sandbox: RailSandbox;
  let catcher: WebhookCatcher;
  let client: ApiClient;

  beforeAll(async () => {
    service = await startRailService();
    ({ sandbox } = service);
    catcher = await new WebhookCatcher().start();
    await operator('PUT', '/routes', { routes: { DE: [RAIL] } });
    const settings = { testMode: false, statusVersion: 2, webhookUrl: catcher.url, caps: { dailyCents: DAILY_CENTS } };
    client = await newClient(settings);
  });
  afterAll(async () => {
    await catcher.stop();
    await stopRailService(service);
  });

  const noticesUrl = (): string => `${service.gateway.url}/rails/v1/${RAIL}/notices`;
  const restarted = async (env: Record<string, string>): Promise<void> => {
    const { gateway } = service;
    await gateway.kill('SIGTERM');
    Object.assign(gateway.settings.env ?? {}, env);
    await gateway.restart();
  };
  const payee = (email = `${randomUUID()}@example.org`): Promise<Json> => client.payee({ country: 'DE', email });
  const registered = async (): Promise<Json> => {
    const made = await payee();
    await sandbox.does(RAIL, 'register', { email: made.email });
    return made;
  };
  const pay = async ({ id }: Json, amountCents = 1_005): Promise<Json> => {
    const { status, body } = await client.payout(id, { amountCents, currency: 'EUR' });
    if (status !== 201) throw new Error(`Not taken: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const reads = (id: string, status: string): Promise<Json> =>
    eventually(
      () => readPayout(client, id),
      (payout) => payout.status === status,
    );
  const paymentsTo = async ({ email }: Json): Promise<Json[]> =>
    (await sandbox.books(RAIL)).payments.filter(({ receiver }: Json) => receiver === email);
  /** What is on its way reads as waiting already: it may not have arrived there. */
  const arrivedFor = async (person: Json): Promise<Json> => {
    const there = await eventually(
      () => paymentsTo(person),
      (payments) => payments.length > 0,
    );
    return there[0];
  };
  const noted = async (fault: string, payout: Json, person: Json): Promise<void> => {
    const landed = (await paymentsTo(person)).filter(({ status }) => status === 'SUCCESS');
    seen.note('batch', fault, { payout, movements: landed.length });
  };
  const told = (id: string, status: string): Promise<unknown> =>
    catcher.waitFor(({ json }) => (json as Json).transactionId === id && (json as Json).status === status);

  it('pays whoever has an account there, once, and tells so', async () => {
    const ada = await registered();
    const { id } = await pay(ada);
    expect(await reads(id, 'paid')).toMatchObject({ settledAt: expect.any(String) as string });
    expect(await paymentsTo(ada)).toMatchObject([{ units: 1_005, currency: 'EUR', status: 'SUCCESS' }]);
    await told(id, 'paid');
  });

  it('shows operators whose account it pays from, that no money is real there, and what lies in it', async () => {
    const rail = (await operator('GET', '/rails')).body.data.find(({ name }: Json) => name === RAIL);
    expect(rail).toMatchObject({
      configured: true,
      boundTo: { account: 'SANDBXACCT234', mode: 'sandbox' },
      closed: null,
    });
    expect(rail.funding.map(({ currency }: Json) => currency).sort()).toEqual(['EUR', 'USD']);
  });

  it('waits for whoever has none, reads sent once they claimed it, and paid once PayPal let it through', async () => {
    const ada = await payee();
    const { id } = await pay(ada);
    const waiting = await reads(id, 'awaiting_withdraw');
    expect(waiting.payoutLink ?? null).toBeNull(); // the link is told in events and to the payee, and kept nowhere
    const payment = await arrivedFor(ada);
    await sandbox.does(RAIL, 'hold', { payment: payment.itemId });
    await reads(id, 'sent');
    await sandbox.does(RAIL, 'claim', { payment: payment.itemId });
    await reads(id, 'paid');
    await told(id, 'paid');
  });

  it('pays what is owed only on a withdraw', async () => {
    const ada = await registered();
    const rows = await owe(client, ada.id, [1_000, 500], { currency: 'EUR' });
    await operator('POST', '/jobs/release/run');
    expect(await standing(client, rows)).toEqual(['owed', 'owed']);
    expect((await withdraw(client, ada.id)).status).toBe(200);
    await eventually(
      () => standing(client, rows),
      (all) => all.every((status) => status === 'paid'),
    );
    expect(await paymentsTo(ada)).toMatchObject([{ units: 1_500, status: 'SUCCESS' }]);
  });

  it('is failed for good when nobody came for it in thirty days', async () => {
    const ada = await payee();
    const { id } = await pay(ada);
    await reads(id, 'awaiting_withdraw');
    await arrivedFor(ada);
    await sandbox.timePasses(30 * 86_400);
    const failed = await reads(id, 'failed');
    expect(reasonOf(failed)).toBe('claim_expired');
    expect(await paymentsTo(ada)).toMatchObject([{ status: 'RETURNED' }]);
  });

  it.each([true, false])('is returned when it comes back after it was paid (its notice arrives: %p)', async (heard) => {
    const ada = await registered();
    const { id } = await pay(ada);
    await reads(id, 'paid');
    const { itemId } = await arrivedFor(ada);
    if (!heard) await sandbox.fault(RAIL, { effect: 'notice_lost', match: { contains: itemId } });
    await sandbox.does(RAIL, 'refund', { payment: itemId });
    if (!heard) await operator('POST', '/jobs/reconcile/run');
    expect(await reads(id, 'returned')).toMatchObject({ amountCents: 1_005 });
  });

  it('fails for lack of funds, and is paid under a second name when it is tried again', async () => {
    const ada = await registered();
    await sandbox.does(RAIL, 'fund', { currency: 'EUR', units: 0 });
    const { id } = await pay(ada);
    const failed = await reads(id, 'failed');
    expect(failed.failureKind ?? 'transient').toBe('transient');
    await sandbox.does(RAIL, 'fund', { currency: 'EUR', units: 1_000_000 });
    await operator('POST', `/payouts/${id}/retry`);
    await reads(id, 'paid');
    expect((await paymentsTo(ada)).map(({ status }: Json) => status).sort()).toEqual(['DENIED', 'SUCCESS']);
  });

  describe('while no notice is told', () => {
    beforeAll(() => sandbox.does(RAIL, 'notices', { url: null }));
    afterAll(() => sandbox.does(RAIL, 'notices', { url: noticesUrl() }));

    it.each([
      ['cut_before', {}],
      ['cut_after', {}],
      ['silence_before', {}],
      ['silence_after', {}],
      ['too_many', { seconds: 1 }],
      ['server_error', {}],
      ['server_error_after', {}],
      ['garbage', {}],
      ['slow', { seconds: 2 }],
    ])('pays once, and never calls it failed, when the call meets %s', async (effect, more) => {
      const ada = await registered();
      await sandbox.fault(RAIL, { effect, match: { ...CREATE, contains: ada.email }, ...more });
      const { id } = await pay(ada);
      const paid = await reads(id, 'paid');
      expect(paid.events.map(({ toStatus }: Json) => toStatus)).not.toContain('failed');
      expect((await paymentsTo(ada)).map(({ status }: Json) => status)).toEqual(['SUCCESS']);
      expect(await sandbox.faults(RAIL)).toEqual([]);
      await noted(effect, paid, ada);
    });

    it('pays once when the process is killed while PayPal does the work', async () => {
      const ada = await registered();
      await sandbox.fault(RAIL, { effect: 'silence_after', match: { ...CREATE, contains: ada.email } });
      const { id } = await pay(ada);
      await eventually(
        () => sandbox.faults(RAIL),
        (left) => left.length === 0,
      );
      await service.gateway.kill('SIGKILL');
      await service.gateway.restart();
      const paid = await reads(id, 'paid');
      expect((await paymentsTo(ada)).map(({ status }: Json) => status)).toEqual(['SUCCESS']);
      await noted('kill -9', paid, ada);
    });
  });

  it.each(['notice_twice', 'notice_reordered', 'notice_late', 'notice_forged'])(
    'tells the same end when a notice meets %s',
    async (effect) => {
      const ada = await payee();
      await sandbox.fault(RAIL, { effect, match: { contains: ada.email }, seconds: 1 });
      const { id } = await pay(ada);
      await reads(id, 'awaiting_withdraw');
      const payment = await arrivedFor(ada);
      await sandbox.does(RAIL, 'claim', { payment: payment.itemId });
      await reads(id, 'paid');
    },
  );

  it('asks for a new token when PayPal takes the old one back', async () => {
    const ada = await registered();
    await sandbox.does(RAIL, 'revoke');
    const { id } = await pay(ada);
    await reads(id, 'paid');
  });

  it('sends nothing with a secret that PayPal does not know, says so, and goes on with the right one', async () => {
    const { CLAIM_RAIL_CLIENT_SECRET: secret } = await sandbox.settings();
    await restarted({ CLAIM_RAIL_CLIENT_SECRET: 'of-somebody-else' });
    const ada = await registered();
    const { id } = await pay(ada);
    const lane = await eventually(
      async () => (await operator('GET', '/rails')).body.data.find(({ name }: Json) => name === RAIL).closed,
      (closed) => closed !== null,
    );
    expect(lane).toMatchObject({ reason: 'credentials' });
    expect(await paymentsTo(ada)).toEqual([]);
    expect((await readPayout(client, id)).status).not.toBe('failed');
    await restarted({ CLAIM_RAIL_CLIENT_SECRET: secret as string });
    // It is tried again after a minute, which nobody has to wait for here.
    await query(service.databaseUrl, 'UPDATE rail_lanes SET opens_at = now()');
    await query(service.databaseUrl, 'UPDATE jobs SET run_at = now() WHERE entity_id = $1', [id]);
    await reads(id, 'paid');
  });

  it('has told no secret, no address and no link to its log', () => {
    const { output } = service.gateway;
    expect(output).not.toContain('@example.org');
    expect(output).not.toMatch(/\/claim\/|Bearer|Basic /);
  });

  it('breaks no rule of money', async () => {
    const asked = { clientId: client.id, dailyCents: DAILY_CENTS, pushedCents: 1_500 };
    expect(await brokenInvariants({ ...asked, leaveOut: [RAILS_KEPT_HERE] })).toEqual([]);
  });

  it("has moved in PayPal's books what is paid in ours, to the cent", async () => {
    const { payments } = await sandbox.books(RAIL);
    const landed = (payments as Json[]).filter(({ status }) => status === 'SUCCESS');
    const [{ cents }] = (await query<{ cents: string }>(service.databaseUrl, PAID, [client.id])) as [{ cents: string }];
    expect(landed.reduce((sum, { units }) => sum + Number(units), 0)).toBe(Number(cents));
  });

  it('has met what docs/faults.md says', () => seen.expectPrinted());
});
