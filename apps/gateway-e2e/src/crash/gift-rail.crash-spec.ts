/** People are paid through Tremendous, simulated: the shipped gateway, its own rail, real HTTP between all of them. */
import { eventually, type Json, operator } from '../harness/api';
import { browse } from '../harness/browse';
import { query } from '../harness/database';
import { CENTS, GiftPayouts, RAIL } from '../harness/gift-payouts';
import { readPayout, reasonOf } from '../harness/money';
import { owe, standing, withdraw } from '../harness/owed';
import { CALL_EFFECTS, RailRun } from '../harness/rail-run';
import { SeenFaults } from '../harness/seen-faults';

const CREATE = { method: 'POST', path: '/api/v2/orders' };
const LINK = { method: 'POST', path: '/api/v2/rewards/' };
/** None of it belongs into a log. */
const PRIVATE = /@example\.org|\/rewards\/payout\/|\/claim\/[\w-]{20}|(TEST|hook)_[\w-]{30}|Lovelace/;
const FUNDS = 10_000_000;
const OF_OURS = `SELECT coalesce(sum(amount_cents), 0) AS cents FROM payouts WHERE provider = $1 AND status IN ('submitted', 'paid')`;

describe('gift_rail, by a simulated Tremendous', () => {
  const seen = new SeenFaults(RAIL);
  let run: RailRun;
  let gifts: GiftPayouts;

  beforeAll(async () => {
    // Silence is waited for: two seconds are enough of it.
    run = await RailRun.start(RAIL, { GIFT_RAIL_TIMEOUT_MS: '2000' });
    gifts = new GiftPayouts(run);
  });
  afterAll(() => run.stop());

  const noticesUrl = (): string => `${run.service.gateway.url}/rails/v1/${RAIL}/notices`;
  const paying = async (payee: Json): Promise<string> => (await run.pay(payee, CENTS)).id;
  const waiting = async (): Promise<{ ada: Json; id: string; order: Json }> => {
    const ada = await gifts.person();
    const id = await paying(ada);
    return { ada, id, order: await gifts.arrives(id) };
  };
  const takenOnce = async (call: string, fault: string, ada: Json, id: string): Promise<void> => {
    const payout = await gifts.expectTakenOnce(ada, id);
    const executed = (await gifts.ordersOf(id)).filter(({ status }) => status === 'EXECUTED');
    seen.note(call, fault, { payout, movements: executed.length });
  };

  it('waits for its payee, who goes on from their wallet, takes it at Tremendous, and can go back there', async () => {
    const { ada, id } = await waiting();
    await run.reads(id, 'awaiting_withdraw');
    const browser = await gifts.wallet(ada);
    const page = await gifts.page(browser, id);
    expect(page.text).toContain('Choose how you get it');
    expect((await readPayout(run.client, id)).status).toBe('awaiting_withdraw');
    const led = await gifts.press(browser, page, id);
    expect(led.status).toBe(303);
    expect(await run.readsPaid(id)).toMatchObject({ settledAt: null });
    await run.told(id, 'paid');
    const again = await gifts.page(browser, id);
    expect(again.text).toContain('Not received? Open its page again');
    const second = await gifts.press(browser, again, id);
    expect(second.headers.get('location')).not.toBe(led.headers.get('location'));
    expect(await gifts.take(ada, id)).toContain('Redeemed as Gift card');
    expect(await gifts.ordersOf(id)).toMatchObject([{ status: 'EXECUTED', reward: { redeemed: {} } }]);
  });

  it('leads nobody from the page that everybody with its link sees, and nobody else from their wallet', async () => {
    const { id } = await waiting();
    const event = (await run.told(id, 'awaiting_withdraw')) as { json: Json };
    const page = await eventually(
      () => browse(event.json.claimUrl),
      ({ text }) => text.includes('Send me the link'),
    );
    expect(page.text).not.toContain('/take');
    const stranger = await gifts.wallet(await gifts.person());
    expect((await stranger.get(`/portal/payments/${id}`)).status).toBe(404);
    expect((await stranger.post(`/portal/payments/${id}/take`)).status).toBe(403);
    expect((await readPayout(run.client, id)).status).toBe('awaiting_withdraw');
  });

  it('leads nobody whose address changed a short while ago', async () => {
    const { ada, id } = await waiting();
    const browser = await gifts.wallet(ada);
    const page = await gifts.page(browser, id);
    const { externalId } = ada;
    expect((await run.client.post('/payees', { externalId, email: 'eve@example.org', country: 'DE' })).status).toBe(
      200,
    );
    expect((await gifts.press(browser, page, id)).status).toBe(401);
    expect((await run.client.post(`/payees/${ada.id}/portal-link`, {})).body.error).toBe('payee_cooling_down');
  });

  it('pays nobody for a client that wants its payees checked, and leads nobody on from the moment it wants that', async () => {
    const wants = (checksPayees: boolean): Promise<unknown> =>
      operator('PATCH', `/clients/${run.client.id}`, { checksPayees });
    const { ada, id } = await waiting();
    const browser = await gifts.wallet(ada);
    const page = await gifts.page(browser, id);
    await wants(true);
    try {
      const grace = await gifts.person();
      expect(reasonOf(await run.reads(await paying(grace), 'held'))).toBe('rail_not_allowed');
      expect((await gifts.press(browser, page, id)).status).toBe(409);
      expect((await browser.get(`/portal/payments/${id}`)).status).toBe(409);
    } finally {
      await wants(false);
    }
    await gifts.expectTakenOnce(ada, id);
  });

  it('shows operators whose balance it pays from, that no money is real there, and what lies in it', async () => {
    const rail = (await operator('GET', '/rails')).body.data.find(({ name }: Json) => name === RAIL);
    const { balanceId } = await run.sandbox.books(RAIL);
    expect(rail).toMatchObject({ configured: true, boundTo: { account: balanceId, mode: 'sandbox' }, closed: null });
    expect(rail.funding).toMatchObject([{ currency: 'USD' }]);
  });

  it('pays what is owed only on a withdraw', async () => {
    const ada = await gifts.person();
    const rows = await owe(run.client, ada.id, [1_000, 5], { currency: 'EUR' });
    await operator('POST', '/jobs/release/run');
    expect(await standing(run.client, rows)).toEqual(['owed', 'owed']);
    const { body } = await withdraw(run.client, ada.id);
    const [{ id }] = (await run.client.get(`/payouts?payeeId=${ada.id}`)).body.data;
    expect(body.released).not.toBe(0);
    await gifts.expectTakenOnce(ada, id);
    expect(await standing(run.client, rows)).toEqual(['paid', 'paid']);
  });

  it.each(CALL_EFFECTS)('pays once, and never calls it failed, when the order meets %s', async (effect) => {
    const ada = await gifts.person();
    await run.sandbox.fault(RAIL, { effect, match: { ...CREATE, contains: ada.email }, seconds: 1 });
    const id = await paying(ada);
    await run.faultsStruck();
    await takenOnce('order', effect, ada, id);
  });

  it.each(CALL_EFFECTS)('leads there once it can when the link meets %s, and it is paid once', async (effect) => {
    const { ada, id, order } = await waiting();
    await run.sandbox.fault(RAIL, { effect, match: { ...LINK, path: LINK.path + order.reward.id }, seconds: 1 });
    await takenOnce('link', effect, ada, id);
    expect(await run.sandbox.faults(RAIL)).toEqual([]);
  });

  it('pays once when the process is killed while Tremendous does the work', async () => {
    const ada = await gifts.person();
    await run.sandbox.fault(RAIL, { effect: 'silence_after', match: { ...CREATE, contains: ada.email } });
    const id = await paying(ada);
    await run.faultsStruck();
    await run.dies();
    await takenOnce('order', 'kill -9', ada, id);
  });

  it('is paid once when the process is killed while a link is made', async () => {
    const { ada, id, order } = await waiting();
    const browser = await gifts.wallet(ada);
    const page = await gifts.page(browser, id);
    await run.sandbox.fault(RAIL, { effect: 'silence_after', match: { ...LINK, path: LINK.path + order.reward.id } });
    const lost = gifts.press(browser, page, id).catch(() => null);
    await run.faultsStruck();
    await run.dies();
    await lost;
    await takenOnce('link', 'kill -9', ada, id);
  });

  describe('cancelled at Tremendous', () => {
    it.each(['notice_twice', 'notice_reordered', 'notice_late', 'notice_forged', 'notice_lost'])(
      'is failed for good if nobody came for it, whatever becomes of the notice: %s',
      async (effect) => {
        const { id, order } = await waiting();
        await run.sandbox.fault(RAIL, { effect, match: { contains: order.reward.id }, seconds: 1 });
        await run.does('cancel', { order: order.id });
        // Held back until something else is told.
        if (effect === 'notice_reordered') await waiting();
        if (effect === 'notice_forged' || effect === 'notice_lost') await operator('POST', '/jobs/reconcile/run');
        const failed = await run.reads(id, 'failed');
        expect(reasonOf(failed)).toBe('claim_expired');
        expect((failed.events as Json[]).filter(({ toStatus }) => toStatus === 'failed')).toHaveLength(1);
        expect(await gifts.ordersOf(id)).toMatchObject([{ status: 'CANCELED' }]);
        await run.sandbox.forgetFaults(RAIL);
      },
    );

    it.each([true, false])('is returned if its payee was led to it (its notice arrives: %p)', async (heard) => {
      const { ada, id, order } = await waiting();
      const browser = await gifts.wallet(ada);
      await gifts.press(browser, await gifts.page(browser, id), id);
      await run.readsPaid(id);
      if (!heard) await run.sandbox.fault(RAIL, { effect: 'notice_lost', match: { contains: order.reward.id } });
      await run.does('cancel', { order: order.id });
      if (!heard) await operator('POST', '/jobs/reconcile/run');
      expect(await run.reads(id, 'returned')).toMatchObject({ amountCents: CENTS });
      expect((await browser.get(`/portal/payments/${id}`)).headers.get('location')).toBe('/portal');
    });
  });

  it('waits for approval at Tremendous, and for its payee once that is given', async () => {
    const ada = await gifts.person();
    await run.does('review', { email: ada.email });
    const id = await paying(ada);
    const [order] = await eventually(
      () => gifts.ordersOf(id),
      (orders) => orders.length > 0,
    );
    const browser = await gifts.wallet(ada);
    expect((await browser.get(`/portal/payments/${id}`)).headers.get('location')).toBe('/portal');
    await run.does('approve', { order: order?.id });
    await gifts.expectTakenOnce(ada, id);
  });

  it('fails for lack of funds, and is paid when it is tried again', async () => {
    const { hundredths } = await run.sandbox.books(RAIL);
    await run.does('fund', { hundredths: 0 });
    const ada = await gifts.person();
    const id = await paying(ada);
    const failed = await run.reads(id, 'failed');
    expect(failed.failureKind ?? 'transient').toBe('transient');
    await run.does('fund', { hundredths });
    await operator('POST', `/payouts/${id}/retry`);
    await gifts.arrives(id);
    expect(await gifts.take(ada, id)).toContain('Redeemed');
    await run.reads(id, 'paid');
  });

  it('sends nothing with a key that Tremendous does not know, says so, and goes on with the right one', async () => {
    const { GIFT_RAIL_API_KEY: key } = await run.sandbox.settings();
    await run.dies({ GIFT_RAIL_API_KEY: 'of-somebody-else' });
    const ada = await gifts.person();
    const id = await paying(ada);
    expect(await run.laneClosed()).toMatchObject({ reason: 'credentials' });
    expect(await gifts.ordersOf(id)).toEqual([]);
    expect((await readPayout(run.client, id)).status).not.toBe('failed');
    await run.dies({ GIFT_RAIL_API_KEY: key as string });
    await run.laneOpens(id);
    await gifts.expectTakenOnce(ada, id);
  });

  it('believes nobody who does not sign', async () => {
    const forged = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"event":"ORDERS.CANCELED"}',
    };
    expect((await fetch(noticesUrl(), forged)).status).toBe(401);
  });

  it('has told no secret, no address and no link to its log', () => {
    expect(run.service.gateway.output).not.toMatch(PRIVATE);
  });

  it('breaks no rule of money', async () => {
    expect(await run.brokenRules({ pushedCents: CENTS })).toEqual([]);
  });

  it("has moved in Tremendous's books what is under way or paid in ours, to the cent", async () => {
    const { orders, hundredths } = await run.sandbox.books(RAIL);
    const executed = (orders as Json[]).filter(({ status }) => status === 'EXECUTED');
    const moved = executed.reduce((sum, { reward }) => sum + Number(reward.hundredths), 0);
    const [{ cents }] = (await query<{ cents: string }>(run.service.databaseUrl, OF_OURS, [RAIL])) as [
      { cents: string },
    ];
    expect(moved).toBe(Number(cents));
    const taken = executed.reduce((sum, { paid }) => sum + Number(paid.total), 0);
    expect(hundredths).toBe(FUNDS - taken);
  });

  it('has met what docs/faults.md says', () => seen.expectPrinted());
});
