/** People are paid through Stripe, simulated: the shipped gateway, its own rail in legs, real HTTP between all of them. */
import { randomUUID } from 'node:crypto';
import { type ApiClient, eventually, type Json, newClient, operator } from '../harness/api';
import { browse } from '../harness/browse';
import { query } from '../harness/database';
import { brokenInvariants, RAILS_KEPT_HERE } from '../harness/invariants';
import { readPayout, reasonOf } from '../harness/money';
import { owe, standing } from '../harness/owed';
import { type RailService, type RailSandbox, startRailService, stopRailService } from '../harness/rail-sandbox';
import { WebhookCatcher } from '../harness/webhook-catcher';

const RAIL = 'custodial_a';
const CALLS = {
  transfer: { method: 'POST', path: '/v1/transfers' },
  payout: { method: 'POST', path: '/v1/payouts' },
};
const PAID = `SELECT coalesce(sum(amount_cents), 0) AS cents FROM payouts WHERE provider = $1 AND status = 'paid'`;
const DAILY_CENTS = 100_000_000;
const EFFECTS = [
  ...(['cut_before', 'cut_after', 'silence_before', 'silence_after', 'too_many'] as const),
  ...(['server_error', 'server_error_after', 'garbage', 'slow'] as const),
];

describe('custodial_a, by a simulated Stripe', () => {
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

  const adopt = (payeeId: string, providerAccountId: string) =>
    client.post(`/payees/${payeeId}/methods`, { provider: RAIL, providerAccountId });
  /** Somebody with an account there, by its id. */
  const verified = async (): Promise<Json> => {
    const payee = await client.payee({ country: 'DE' });
    const account = `acct_${randomUUID()}`;
    await sandbox.does(RAIL, 'account', { id: account });
    expect((await adopt(payee.id, account)).body.method).toMatchObject({ payable: true });
    return { ...payee, account };
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
  const booksOf = async ({ account }: Json): Promise<{ transfers: Json[]; payouts: Json[] }> => {
    const { transfers, payouts } = await sandbox.books(RAIL);
    return {
      transfers: transfers.filter(({ destination }: Json) => destination === account),
      payouts: payouts.filter((payout: Json) => payout.account === account),
    };
  };
  /** One payout's transfer, payout and reversal. */
  const expectPaidOnce = async (person: Json): Promise<void> => {
    const { transfers, payouts } = await booksOf(person);
    expect(transfers).toMatchObject([{ units: 1_005, reversedUnits: 0, currency: 'eur' }]);
    expect(payouts).toMatchObject([{ units: 1_005, status: 'paid' }]);
  };
  const payoutOf = async (person: Json): Promise<Json> => {
    const { payouts } = await eventually(
      () => booksOf(person),
      (books) => books.payouts.length > 0,
    );
    return payouts[0] as Json;
  };
  const told = (id: string, status: string): Promise<unknown> =>
    catcher.waitFor(({ json }) => (json as Json).transactionId === id && (json as Json).status === status);

  it('pays by a transfer and a payout, once, and tells so', async () => {
    const ada = await verified();
    const { id } = await pay(ada);
    expect(await reads(id, 'paid')).toMatchObject({ settledAt: expect.any(String) as string });
    await expectPaidOnce(ada);
    await told(id, 'paid');
  });

  it('takes the account of a payee from its pages to its first money', async () => {
    const shop = await newClient({ testMode: false, statusVersion: 2, webhookUrl: 'https://app.example/hook' });
    const ada = await shop.payee({ country: 'DE' });
    const rows = await owe(shop, ada.id, [1_500], { currency: 'EUR' });
    const { body } = await shop.post(`/payees/${ada.id}/onboarding-link`, { returnUrl: 'https://app.example/done' });
    expect(body).toMatchObject({ provider: RAIL });
    const onward = await browse(body.url, 'POST');
    const page = onward.headers.get('location') ?? '';
    expect(await (await fetch(page)).text()).toContain('Bank account');
    const filledIn = (outcome: string, reason = ''): Promise<unknown> =>
      fetch(page, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ name: 'Ada', outcome, reason }) });
    const now = async (): Promise<Json> => (await shop.get(`/payees/${ada.id}`)).body;
    await filledIn('reject', 'The photograph is blurred.');
    await eventually(now, ({ kycStatus }) => kycStatus === 'rejected');
    expect(await now()).toMatchObject({ payable: false, kycReason: 'The photograph is blurred.' });
    await filledIn('approve');
    await eventually(now, ({ payable }) => payable === true);
    await eventually(
      () => standing(shop, rows),
      (all) => all.every((status) => status === 'paid'),
    );
  });

  it('confirms no account that is foreign, missing, or emptied by Stripe itself', async () => {
    const payee = await client.payee({ country: 'DE' });
    const daily = `acct_${randomUUID()}`;
    await sandbox.does(RAIL, 'account', { id: daily, interval: 'daily' });
    for (const account of [daily, 'acct_of_another_platform']) {
      const { status, body } = await adopt(payee.id, account);
      expect([status, body.error]).toEqual([422, 'account_unverifiable']);
    }
  });

  it.each([true, false])('is returned when it comes back after it was paid (its notice arrives: %p)', async (heard) => {
    const ada = await verified();
    const { id } = await pay(ada);
    await reads(id, 'paid');
    const payout = await payoutOf(ada);
    if (!heard) await sandbox.fault(RAIL, { effect: 'notice_lost', match: { contains: payout.id } });
    await sandbox.does(RAIL, 'fail', { payout: payout.id, failure: 'account_closed' });
    if (!heard) await operator('POST', '/jobs/reconcile/run');
    expect(await reads(id, 'returned')).toMatchObject({ amountCents: 1_005 });
    expect((await booksOf(ada)).transfers).toMatchObject([{ reversedUnits: 1_005 }]);
  });

  it('is held for lack of funds, and leaves when there are some', async () => {
    const ada = await verified();
    await sandbox.does(RAIL, 'fund', { currency: 'eur', units: 0 });
    const { id } = await pay(ada);
    expect(reasonOf(await reads(id, 'held'))).toBe('insufficient_funds');
    await sandbox.does(RAIL, 'fund', { currency: 'eur', units: 10_000_000 });
    await operator('POST', `/payouts/${id}/release`);
    await reads(id, 'paid');
    await expectPaidOnce(ada);
  });

  it.each(Object.keys(CALLS).flatMap((call) => EFFECTS.map((effect) => [call, effect] as const)))(
    'pays once, and never calls it failed, when its %s meets %s',
    async (call, effect) => {
      const ada = await verified();
      const match = CALLS[call as keyof typeof CALLS];
      await sandbox.fault(RAIL, { effect, match, ...(effect === 'slow' ? { seconds: 2 } : { seconds: 1 }) });
      const { id } = await pay(ada);
      const paid = await reads(id, 'paid');
      expect(paid.events.map(({ toStatus }: Json) => toStatus)).not.toContain('failed');
      await expectPaidOnce(ada);
      expect(await sandbox.faults(RAIL)).toEqual([]);
    },
  );

  it.each(Object.keys(CALLS))('pays once when the process is killed while Stripe does the %s', async (call) => {
    const ada = await verified();
    await sandbox.fault(RAIL, { effect: 'silence_after', match: CALLS[call as keyof typeof CALLS] });
    const { id } = await pay(ada);
    await eventually(
      () => sandbox.faults(RAIL),
      (left) => left.length === 0,
    );
    await service.gateway.kill('SIGKILL');
    await service.gateway.restart();
    await reads(id, 'paid');
    await expectPaidOnce(ada);
  });

  it('has told no secret, no account and no link to its log', () => {
    const { output } = service.gateway;
    expect(output).not.toMatch(/acct_|\/setup\/e\/|sk_test_|whsec_(platform|connect)|@example\.org/);
  });

  it('breaks no rule of money', async () => {
    const asked = { clientId: client.id, dailyCents: DAILY_CENTS };
    expect(await brokenInvariants({ ...asked, leaveOut: [RAILS_KEPT_HERE] })).toEqual([]);
  });

  it("has moved in Stripe's books what is paid in ours, to the cent", async () => {
    const { payouts } = await sandbox.books(RAIL);
    const landed = (payouts as Json[]).filter(({ status }) => status === 'paid');
    const [{ cents }] = (await query<{ cents: string }>(service.databaseUrl, PAID, [RAIL])) as [{ cents: string }];
    expect(landed.reduce((sum, { units }) => sum + Number(units), 0)).toBe(Number(cents));
  });
});
