/** People are paid through Stripe, simulated: the shipped gateway, its own rail in legs, real HTTP between all of them. */
import { randomUUID } from 'node:crypto';
import { eventually, type Json, newClient, operator } from '../harness/api';
import { browse } from '../harness/browse';
import { reasonOf } from '../harness/money';
import { owe, standing } from '../harness/owed';
import { CALL_EFFECTS, RailRun } from '../harness/rail-run';
import { SeenFaults } from '../harness/seen-faults';

const RAIL = 'custodial_a';
const CALLS = {
  transfer: { method: 'POST', path: '/v1/transfers' },
  payout: { method: 'POST', path: '/v1/payouts' },
};
const CENTS = 1_005;

describe('custodial_a, by a simulated Stripe', () => {
  const seen = new SeenFaults(RAIL);
  let run: RailRun;

  beforeAll(async () => {
    // Silence is waited for: two seconds are enough of it.
    run = await RailRun.start(RAIL, { CUSTODIAL_A_TIMEOUT_MS: '2500' });
  });
  afterAll(() => run.stop());

  const verified = (): Promise<Json> => run.person(`acct_${randomUUID()}`);
  const booksOf = async ({ account }: Json): Promise<{ transfers: Json[]; payouts: Json[] }> => {
    const { transfers, payouts } = await run.sandbox.books(RAIL);
    return {
      transfers: transfers.filter(({ destination }: Json) => destination === account),
      payouts: payouts.filter((payout: Json) => payout.account === account),
    };
  };
  /** One payout's transfer, payout and reversal. */
  const expectPaidOnce = async (person: Json): Promise<void> => {
    const { transfers, payouts } = await booksOf(person);
    expect(transfers).toMatchObject([{ units: CENTS, reversedUnits: 0, currency: 'eur' }]);
    expect(payouts).toMatchObject([{ units: CENTS, status: 'paid' }]);
  };
  const noted = async (call: string, fault: string, payout: Json, person: Json): Promise<void> => {
    const { transfers, payouts } = await booksOf(person);
    seen.note(call, fault, { payout, movements: Math.max(transfers.length, payouts.length) });
  };
  const payoutOf = async (person: Json): Promise<Json> => {
    const { payouts } = await eventually(
      () => booksOf(person),
      (books) => books.payouts.length > 0,
    );
    return payouts[0] as Json;
  };

  it('pays by a transfer and a payout, once, and tells so', async () => {
    const ada = await verified();
    const { id } = await run.pay(ada, CENTS);
    expect(await run.reads(id, 'paid')).toMatchObject({ settledAt: expect.any(String) as string });
    await expectPaidOnce(ada);
    await run.told(id, 'paid');
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
    const payee = await run.client.payee({ country: 'DE' });
    const daily = `acct_${randomUUID()}`;
    await run.does('account', { id: daily, interval: 'daily' });
    for (const account of [daily, 'acct_of_another_platform']) {
      const { status, body } = await run.adopt(payee.id, account);
      expect([status, body.error]).toEqual([422, 'account_unverifiable']);
    }
  });

  it.each([true, false])('is returned when it comes back after it was paid (its notice arrives: %p)', async (heard) => {
    const ada = await verified();
    const { id } = await run.pay(ada, CENTS);
    await run.reads(id, 'paid');
    const payout = await payoutOf(ada);
    if (!heard) await run.sandbox.fault(RAIL, { effect: 'notice_lost', match: { contains: payout.id } });
    await run.does('fail', { payout: payout.id, failure: 'account_closed' });
    if (!heard) await operator('POST', '/jobs/reconcile/run');
    expect(await run.reads(id, 'returned')).toMatchObject({ amountCents: CENTS });
    expect((await booksOf(ada)).transfers).toMatchObject([{ reversedUnits: CENTS }]);
  });

  it('is held for lack of funds, and leaves when there are some', async () => {
    const ada = await verified();
    await run.does('fund', { currency: 'eur', units: 0 });
    const { id } = await run.pay(ada, CENTS);
    expect(reasonOf(await run.reads(id, 'held'))).toBe('insufficient_funds');
    await run.does('fund', { currency: 'eur', units: 10_000_000 });
    await operator('POST', `/payouts/${id}/release`);
    await run.reads(id, 'paid');
    await expectPaidOnce(ada);
  });

  it.each(Object.keys(CALLS).flatMap((call) => CALL_EFFECTS.map((effect) => [call, effect] as const)))(
    'pays once, and never calls it failed, when its %s meets %s',
    async (call, effect) => {
      const ada = await verified();
      const match = CALLS[call as keyof typeof CALLS];
      await run.sandbox.fault(RAIL, { effect, match, ...(effect === 'slow' ? { seconds: 2 } : { seconds: 1 }) });
      const { id } = await run.pay(ada, CENTS);
      await noted(call, effect, await run.readsPaid(id), ada);
      await expectPaidOnce(ada);
      expect(await run.sandbox.faults(RAIL)).toEqual([]);
    },
  );

  it.each(Object.keys(CALLS))('pays once when the process is killed while Stripe does the %s', async (call) => {
    const ada = await verified();
    await run.sandbox.fault(RAIL, { effect: 'silence_after', match: CALLS[call as keyof typeof CALLS] });
    const { id } = await run.pay(ada, CENTS);
    await run.faultsStruck();
    await run.dies();
    await noted(call, 'kill -9', await run.reads(id, 'paid'), ada);
    await expectPaidOnce(ada);
  });

  /** Each of these for somebody of their own, all of them at once: a fault names its transfer. */
  it('brings the money back once after it bounced, whatever the reversal meets, and though the process is killed', async () => {
    const bounced: { id: string; fault: string; ada: Json; payout: Json }[] = [];
    for (const fault of [...CALL_EFFECTS, 'kill -9']) {
      const ada = await verified();
      const { id } = await run.pay(ada, CENTS);
      await run.readsPaid(id);
      const { transfers, payouts } = await booksOf(ada);
      const match = { method: 'POST', path: `/v1/transfers/${transfers[0]?.id}/reversals` };
      await run.sandbox.fault(RAIL, { effect: fault === 'kill -9' ? 'silence_after' : fault, match, seconds: 1 });
      bounced.push({ id, fault, ada, payout: payouts[0] as Json });
    }
    for (const { payout } of bounced) await run.does('fail', { payout: payout.id, failure: 'account_closed' });
    await run.faultsStruck();
    await run.dies();
    for (const { id, fault, ada } of bounced) {
      const payout = await run.reads(id, 'returned');
      const { transfers } = await booksOf(ada);
      expect(transfers).toMatchObject([{ units: CENTS, reversedUnits: CENTS }]);
      seen.note('reversal', fault, { payout, movements: transfers.length, isBack: true });
    }
  });

  it('has told no secret, no account and no link to its log', () => {
    const { output } = run.service.gateway;
    expect(output).not.toMatch(/acct_|\/setup\/e\/|sk_test_|whsec_(platform|connect)|@example\.org/);
  });

  it('breaks no rule of money', async () => {
    expect(await run.brokenRules()).toEqual([]);
  });

  it('lists all of that as it stands in our books: none of it is a difference', async () => {
    await operator('POST', '/jobs/reconcile/run');
    const { body } = await operator('POST', '/jobs/reconcile/run');
    expect(body.did.compared).toBeGreaterThan(CALL_EFFECTS.length);
    expect((await operator('GET', `/drift?rail=${RAIL}`)).body.data).toEqual([]);
  });

  it("has moved in Stripe's books what is paid in ours, to the cent", async () => {
    const { payouts } = await run.sandbox.books(RAIL);
    const landed = (payouts as Json[]).filter(({ status }) => status === 'paid');
    expect(landed.reduce((sum, { units }) => sum + Number(units), 0)).toBe(await run.paidCents());
  });

  it('has met what docs/faults.md says', () => seen.expectPrinted());
});
