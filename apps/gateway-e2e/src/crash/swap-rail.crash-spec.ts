/** People are paid through Circle, simulated: the shipped gateway, its own rail, wallets, pages, real HTTP between all of them. */
import { randomUUID } from 'node:crypto';
import { type ApiClient, eventually, type Json, newClient, operator, send } from '../harness/api';
import { browse } from '../harness/browse';
import { query } from '../harness/database';
import { brokenInvariants, RAILS_KEPT_HERE } from '../harness/invariants';
import { readPayout, reasonOf, stepsOf } from '../harness/money';
import { balanceOf, owe, payoutOf, standing } from '../harness/owed';
import { CALL_EFFECTS as EFFECTS } from '../harness/rail-run';
import { type RailSandbox, type RailService, startRailService, stopRailService } from '../harness/rail-sandbox';
import { SeenFaults } from '../harness/seen-faults';
import { CENTS, newAddress, RAIL, SwapPayouts } from '../harness/swap-payouts';
import { WebhookCatcher } from '../harness/webhook-catcher';
import { asksAtLast, asksFor, confirm, enter, walletOpenedBy, withdrawTo } from '../harness/withdrawal';

const TRANSFER = { method: 'POST', path: '/v1/w3s/developer/transactions/transfer' };
const MOVES_MONEY = ['the first leg', 'the drain'];
const CALLS = {
  'making a wallet': { method: 'POST', path: '/v1/w3s/developer/wallets' },
  'the first leg': { ...TRANSFER, contains: '"pay/' },
  'the drain': { ...TRANSFER, contains: '"drain/' },
  'a question': { method: 'GET', path: '/v1/w3s/transactions' },
};
const PAID = `SELECT coalesce(sum(amount_cents), 0) AS cents FROM payouts WHERE provider = $1 AND status = 'paid'`;
const DAILY_CENTS = 100_000_000;

describe('swap_rail, by a simulated Circle', () => {
  const seen = new SeenFaults(RAIL);
  let service: RailService;
  let sandbox: RailSandbox;
  let catcher: WebhookCatcher;
  let client: ApiClient;
  let swap: SwapPayouts;

  beforeAll(async () => {
    // What is not answered is asked again all the same: nobody has to wait for it so long here.
    service = await startRailService({ SWAP_RAIL_TIMEOUT_MS: '3000' });
    ({ sandbox } = service);
    catcher = await new WebhookCatcher().start();
    await operator('PUT', '/routes', { routes: { IT: [RAIL] } });
    const settings = { testMode: false, statusVersion: 2, webhookUrl: catcher.url, caps: { dailyCents: DAILY_CENTS } };
    client = await newClient(settings);
    swap = new SwapPayouts(service, client);
  });
  afterAll(async () => {
    await catcher.stop();
    await stopRailService(service);
  });

  const told = (id: string, status: string): Promise<unknown> =>
    catcher.waitFor(({ json }) => (json as Json).transactionId === id && (json as Json).status === status);
  const noted = async (call: string, faults: readonly string[], payouts: Json[]): Promise<void> => {
    const came = await Promise.all(payouts.map((payout) => swap.came(payout)));
    if (MOVES_MONEY.includes(call)) seen.noteAll(call.replace('the ', ''), faults, came);
  };
  const restarted = async (env: Record<string, string>): Promise<void> => {
    const { gateway } = service;
    await gateway.kill('SIGTERM');
    Object.assign(gateway.settings.env ?? {}, env);
    await gateway.restart();
  };

  it('waits in a wallet until its payee says where to, and is paid there, once', async () => {
    const ada = await swap.person();
    const id = await swap.pay(ada);
    await swap.reads(id, 'awaiting_withdraw');
    await swap.arrives(id);
    await swap.waitsFor(ada);
    const { json } = await catcher.waitFor(
      (hook) => (hook.json as Json).transactionId === id && (hook.json as Json).claimUrl,
    );
    expect((await browse((json as Json).claimUrl)).text).toContain('Send me the link');
    const browser = await walletOpenedBy(client, ada);
    expect(await asksFor(browser, id)).toBe(true);
    const wrong = await enter(browser, id, 'nowhere');
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('This address cannot be used')]);
    const address = newAddress();
    const shown = await enter(browser, id, `  ${address.toUpperCase().replace('0X', '0x')} `);
    expect(shown.text).toContain(address);
    await Promise.all([1, 2, 3].map(() => confirm(browser, id, shown)));
    await swap.expectPaidOnce(id, address);
    expect(await swap.reads(id, 'paid')).toMatchObject({ settledAt: expect.any(String) as string });
    await told(id, 'paid');
    expect(await asksFor(browser, id)).toBe(false);
  });

  it('is on its way until the first leg is there, and nobody can send it on before', async () => {
    await sandbox.does(RAIL, 'wait', { reference: 'pay/' });
    const ada = await swap.person();
    const id = await swap.pay(ada);
    await swap.shows(id, 'legs', 'SENT');
    expect((await readPayout(client, id)).status).toBe('awaiting_withdraw');
    expect(await balanceOf(client, ada.id)).toMatchObject({ onTheWayCents: CENTS, actionNeededCents: 0 });
    const browser = await walletOpenedBy(client, ada);
    expect(await asksFor(browser, id)).toBe(false);
    await sandbox.does(RAIL, 'forget', { reference: 'pay/' });
    await swap.waitsFor(ada);
    await swap.paysAll([id], ada);
  });

  it('shows operators whose wallet it pays from, that no money is real there, and what lies in it', async () => {
    const rail = (await operator('GET', '/rails')).body.data.find(({ name }: Json) => name === RAIL);
    const { SWAP_RAIL_TREASURY_WALLET_ID: treasury } = await sandbox.settings();
    expect(rail).toMatchObject({ configured: true, boundTo: { mode: 'sandbox' }, closed: null });
    expect(rail.boundTo.account).toContain(treasury);
    expect(rail.funding).toMatchObject([{ currency: 'USD', availableCents: expect.any(Number) as number }]);
    const asked = await fetch(`${service.gateway.url}/rails/v1/${RAIL}/notices`, { method: 'HEAD' });
    expect(asked.status).toBe(200);
  });

  it('brings what is owed to the wallet as soon as it is owed', async () => {
    const ada = await swap.person();
    const rows = await owe(client, ada.id, [1_000, 500]);
    await eventually(
      () => standing(client, rows),
      (all) => all.every((status) => status !== 'owed'),
    );
    const browser = await walletOpenedBy(client, ada);
    const payouts = new Set(await Promise.all(rows.map((row) => payoutOf(client, row).then(({ id }) => id as string))));
    for (const id of payouts) await withdrawTo(browser, id, newAddress());
    await eventually(
      () => standing(client, rows),
      (all) => all.every((status) => status === 'paid'),
    );
  });

  it('fails for lack of funds, and the service itself tries again once there are some', async () => {
    const ada = await swap.person();
    await sandbox.does(RAIL, 'fund', { cents: CENTS - 1 });
    const id = await swap.pay(ada);
    const failed = await swap.reads(id, 'failed');
    expect([reasonOf(failed), failed.failureKind]).toEqual(['rail_out_of_funds', 'transient']);
    await sandbox.does(RAIL, 'fund', { cents: 10_000_000 });
    await query(service.databaseUrl, `UPDATE jobs SET run_at = now() WHERE name = 'payout.retry' AND entity_id = $1`, [
      id,
    ]);
    const again = await swap.reads(id, 'awaiting_withdraw');
    expect(stepsOf(again)).toContain('failed retry awaiting_withdraw');
    expect(again.events.find(({ type }: Json) => type === 'retry').actor).toBe('system');
    await swap.arrives(id);
    await withdrawTo(await walletOpenedBy(client, ada), id, newAddress());
    await swap.reads(id, 'paid');
    expect((await swap.books(id)).legs).toHaveLength(1);
  });

  it('asks for another address when the network refused the first one after it was sent', async () => {
    const ada = await swap.person();
    const id = await swap.pay(ada);
    await swap.arrives(id);
    const browser = await walletOpenedBy(client, ada);
    const reference = `drain/${await swap.railKeyOf(id)}`;
    await sandbox.does(RAIL, 'deny', { reference });
    await withdrawTo(browser, id, newAddress());
    await swap.shows(id, 'drains', 'DENIED');
    await sandbox.does(RAIL, 'forget', { reference });
    await asksAtLast(browser, id);
    const address = newAddress();
    await withdrawTo(browser, id, address);
    expect((await swap.reads(id, 'paid')).events.map(({ toStatus }: Json) => toStatus)).not.toContain('failed');
    expect((await swap.books(id)).drains).toMatchObject([{ state: 'DENIED' }, { state: 'COMPLETE', to: address }]);
  });

  /** As many payouts as there are faults, at once: whichever meets which. */
  it.each([
    ['making a wallet', EFFECTS],
    ['the first leg', EFFECTS],
    ['a question', [...EFFECTS, 'stale_read']],
  ] as const)(
    'pays each of many once, and calls none failed, when %s goes wrong in every way',
    async (call, effects) => {
      for (const effect of effects) await sandbox.fault(RAIL, { effect, match: CALLS[call], seconds: 1 });
      const paid = await swap.payMany(effects.length, call === 'making a wallet' ? 1 : 3);
      await Promise.all(paid.flatMap(({ ids }) => ids.map((id) => swap.arrives(id))));
      await swap.allStruck();
      const payouts = await Promise.all(paid.map(({ ids, payee }) => swap.paysAll(ids, payee)));
      await noted(call, effects, payouts.flat());
      // One wallet for each payee, named by what their client calls them.
      const { wallets } = await sandbox.books(RAIL);
      const named = wallets.map(({ refId }: Json) => refId as string);
      expect(new Set(named).size).toBe(named.length);
      expect(named.length).toBeGreaterThan(paid.length);
    },
  );

  it('drains each of many once, and calls none refused, when the drain goes wrong in every way', async () => {
    const paid = await swap.payMany(EFFECTS.length);
    await Promise.all(paid.flatMap(({ ids }) => ids.map((id) => swap.arrives(id))));
    for (const effect of EFFECTS) await sandbox.fault(RAIL, { effect, match: CALLS['the drain'], seconds: 1 });
    const payouts = await Promise.all(paid.map(({ ids, payee }) => swap.paysAll(ids, payee)));
    await noted('the drain', EFFECTS, payouts.flat());
    expect(await sandbox.faults(RAIL)).toEqual([]);
  });

  it.each(['the first leg', 'the drain'] as const)(
    'pays once when the process is killed while Circle does %s',
    async (call) => {
      const ada = await swap.person();
      if (call === 'the first leg') await sandbox.fault(RAIL, { effect: 'silence_after', match: CALLS[call] });
      const id = await swap.pay(ada);
      const address = newAddress();
      if (call === 'the drain') {
        await swap.arrives(id);
        const browser = await walletOpenedBy(client, ada);
        await sandbox.fault(RAIL, { effect: 'silence_after', match: CALLS[call] });
        await withdrawTo(browser, id, address);
      }
      await swap.allStruck();
      await service.gateway.kill('SIGKILL');
      await service.gateway.restart();
      if (call === 'the first leg') {
        await swap.arrives(id);
        await withdrawTo(await walletOpenedBy(client, ada), id, address);
      }
      await noted(call, ['kill -9'], [await swap.expectPaidOnce(id, address)]);
    },
  );

  it.each(['notice_twice', 'notice_reordered', 'notice_late', 'notice_forged', 'notice_lost'])(
    'tells the same end when a notice meets %s',
    async (effect) => {
      const ada = await swap.person();
      const id = await swap.pay(ada);
      await swap.arrives(id);
      const reference = `drain/${await swap.railKeyOf(id)}`;
      await sandbox.does(RAIL, 'wait', { reference });
      const address = newAddress();
      await withdrawTo(await walletOpenedBy(client, ada), id, address);
      await swap.shows(id, 'drains', 'SENT');
      expect((await readPayout(client, id)).status).toBe('awaiting_withdraw');
      await sandbox.fault(RAIL, { effect, match: { contains: reference }, seconds: 1 });
      await sandbox.does(RAIL, 'complete', { transaction: reference });
      if (['notice_lost', 'notice_forged', 'notice_reordered'].includes(effect))
        await operator('POST', '/jobs/reconcile/run');
      await swap.expectPaidOnce(id, address);
    },
  );

  it('believes no notice that is not signed', async () => {
    const body = JSON.stringify({ notificationId: randomUUID(), notification: { refId: 'pay/x/1' } });
    const headers = {
      'content-type': 'application/json',
      'x-circle-key-id': randomUUID(),
      'x-circle-signature': 'AAAA',
    };
    const { status } = await send(`${service.gateway.url}/rails/v1/${RAIL}/notices`, 'POST', headers, body);
    expect(status).toBe(401);
  });

  it('sends nothing with a key that Circle does not know, says so, and goes on with the right one', async () => {
    const { SWAP_RAIL_API_KEY: key } = await sandbox.settings();
    await restarted({ SWAP_RAIL_API_KEY: 'TEST_API_KEY:of:somebody-else' });
    const ada = await swap.person();
    const id = await swap.pay(ada);
    const lane = await eventually(
      async () => (await operator('GET', '/rails')).body.data.find(({ name }: Json) => name === RAIL).closed,
      (closed) => closed !== null,
    );
    expect(lane).toMatchObject({ reason: 'credentials' });
    expect((await swap.books(id)).legs).toEqual([]);
    expect((await readPayout(client, id)).status).not.toBe('failed');
    await restarted({ SWAP_RAIL_API_KEY: key as string });
    // It is tried again after a minute, which nobody has to wait for here.
    await query(service.databaseUrl, 'UPDATE rail_lanes SET opens_at = now()');
    await query(service.databaseUrl, 'UPDATE jobs SET run_at = now() WHERE entity_id = $1', [id]);
    await swap.arrives(id);
    await swap.paysAll([id], ada);
  });

  it('has told no secret, no address and no link to its log', async () => {
    const { output } = service.gateway;
    const { SWAP_RAIL_ENTITY_SECRET: secret = '' } = await sandbox.settings();
    expect(output).not.toContain(secret);
    expect(output).not.toMatch(
      /0x[0-9a-f]{40}|TEST_API_KEY|entitySecretCiphertext|\/(claim|portal\/open)\/[^:]|@example\.org/i,
    );
  });

  it('breaks no rule of money', async () => {
    const asked = { clientId: client.id, dailyCents: DAILY_CENTS, pushedCents: 1_500 };
    expect(await brokenInvariants({ ...asked, leaveOut: [RAILS_KEPT_HERE] })).toEqual([]);
  });

  it("has moved in Circle's books what is paid in ours, to the cent, and left nothing in a wallet", async () => {
    const { transactions, wallets, balances } = await sandbox.books(RAIL);
    const landed = (transactions as Json[]).filter(
      ({ state, refId }) => state === 'COMPLETE' && refId.startsWith('drain/'),
    );
    const [{ cents }] = (await query<{ cents: string }>(service.databaseUrl, PAID, [RAIL])) as [{ cents: string }];
    expect(landed.reduce((sum, { units }) => sum + Number(units), 0)).toBe(Number(cents) * 10_000);
    const left = (wallets as Json[])
      .filter(({ refId }) => refId !== 'treasury')
      .map(({ address }) => balances[address] ?? 0);
    expect(left).toEqual(left.map(() => 0));
  });

  it('has met what docs/faults.md says', () => seen.expectPrinted());
});
