/** What a payee sees of single payments, however many there are, and how they change the account that is paid to. */
import { randomUUID } from 'node:crypto';
import { type ApiClient, eventually, type Json, newClient, operator } from './harness/api';
import { browse, type Page } from './harness/browse';
import { owe } from './harness/owed';
import { type Browser, walletOf } from './harness/wallet';

describe('the payments in a wallet', () => {
  let client: ApiClient;
  let payee: Json;
  let browser: Browser;
  beforeEach(async () => {
    client = await newClient({ name: 'Brass & Sons' });
    payee = await client.payablePayee({ email: `${randomUUID()}@example.com` });
    browser = await walletOf(client, payee);
  });
  const amountsOf = (text: string): string[] =>
    [...text.matchAll(/<span class="amount">([^<]+)/g)].map(([, amount = '']) => amount);

  test('are shown twenty at a time, each once', async () => {
    for (let cents = 101; cents <= 143; cents += 1) await client.payout(payee.id, { amountCents: cents });
    const seen: string[] = [];
    let sizes: number[] = [];
    for (let path: string | undefined = '/portal'; path;) {
      const { status, text } = await browser.get(path);
      expect([status, text.includes('Newest payments')]).toEqual([200, path !== '/portal']);
      seen.push(...amountsOf(text));
      sizes = [...sizes, amountsOf(text).length];
      path = /href="(\/portal\?after=[\w-]+)"/.exec(text)?.[1];
    }
    expect(sizes).toEqual([20, 20, 3]);
    expect(seen).toEqual(Array.from({ length: 43 }, (_, place) => `$${((143 - place) / 100).toFixed(2)}`));
  });

  test('come first where they wait for their payee', async () => {
    await client.payout(payee.id, { amountCents: 111, reason: 'mock:swap' });
    await client.payout(payee.id, { amountCents: 222 });
    const { text } = await eventually(
      () => browser.get('/portal'),
      (page) => page.text.includes('Enter your wallet address'),
    );
    expect(amountsOf(text)).toEqual(['$1.11', '$2.22']);
    expect(text.indexOf('Change where I am paid')).toBeGreaterThan(text.indexOf('$2.22'));
  });

  test('come first where they wait for their payee, also behind a page of newer ones', async () => {
    await client.payout(payee.id, { amountCents: 111, reason: 'mock:swap' });
    for (let cents = 201; cents <= 221; cents += 1) await client.payout(payee.id, { amountCents: cents });
    const { text } = await eventually(
      () => browser.get('/portal'),
      (page) => page.text.includes('Enter your wallet address'),
    );
    expect([amountsOf(text).length, amountsOf(text)[0], amountsOf(text)[1]]).toEqual([21, '$1.11', '$2.21']);
  });

  test('are told apart by the reference of their caller, which is never a sentence or a link', async () => {
    for (const ref of ['invoice-7', 'Call 0800 now', 'evil.example/win']) await client.payout(payee.id, { ref });
    const { text } = await browser.get('/portal');
    expect(text).toContain('<bdi>invoice-7</bdi>');
    expect(text).not.toMatch(/0800|evil/);
  });

  test.each(['x', '%00', 'a'.repeat(3_000)])('begin at the newest one for a place that is none: %s', async (after) => {
    await client.payout(payee.id, { amountCents: 1_234 });
    const { status, text } = await browser.get(`/portal?after=${after}`);
    expect([status, amountsOf(text)]).toEqual([200, ['$12.34']]);
  });

  test('say when they should arrive, and what to do if they have not', async () => {
    await client.payout(payee.id, { amountCents: 1_234, reason: 'mock:pending' });
    expect((await browser.get('/portal')).text).toContain('It should arrive by');
    await client.post('/test/clock', { advanceSeconds: 2 * 86_400 });
    const later = (await (await walletOf(client, payee, 2)).get('/portal')).text;
    expect(later).toContain('It should have arrived by');
    expect(later).toContain('please contact Brass &amp; Sons');
  });

  test('that a payee withdrew say what became of them, and are theirs again if they failed', async () => {
    const ends = {
      'mock:pending': 'On its way to your account: $50.00',
      'mock:claim': 'One more step',
      'mock:insufficient_funds': 'It is on hold.',
      'mock:fail_permanent': 'It was not paid, and is still yours.',
    };
    for (const [reason, end] of Object.entries(ends)) {
      await owe(client, payee.id, [5_000], { reason });
      const gone = await browser.press(await browser.get('/portal/withdraw'), '/portal/withdraw');
      const said = await eventually(
        async () =>
          /role="status">([^<]+)/.exec((await browser.get(gone.headers.get('location') ?? '')).text)?.[1] ?? '',
        (now) => now.includes(end),
      );
      expect(said).toContain(end);
    }
    expect((await browser.get('/portal')).text).toContain('Check where you are paid, then withdraw again');
  });

  test('are not offered to be withdrawn to somebody who is blocked', async () => {
    await owe(client, payee.id, [5_000]);
    expect((await operator('PATCH', `/payees/${payee.id}`, { blocked: true, blockReason: 'looked into' })).status).toBe(
      200,
    );
    const { text } = await browser.get('/portal');
    expect(text).toContain('Yours, but not ready yet');
    expect(text).not.toContain('href="/portal/withdraw"');
  });
});

describe('the account that is paid to', () => {
  let client: ApiClient;
  beforeAll(async () => {
    client = await newClient({ webhookUrl: 'https://app.example/hooks', coolDownSeconds: 3_600 });
  });
  const readyPayee = (): Promise<Json> => client.payablePayee({ email: `${randomUUID()}@example.com` });

  test('is changed from the wallet, on the pages of the rail', async () => {
    const payee = await readyPayee();
    const browser = await walletOf(client, payee);
    const asked = await browser.press(await browser.get('/portal'), '/portal/account');
    const page = await browse(asked.headers.get('location') ?? '');
    expect(page.text).toContain('Change where I am paid');
    const [, onward = ''] = /action="([^"]+)"/.exec(page.text) ?? [];
    const gone = await browse(onward, 'POST');
    expect(gone.status).toBe(303);
    // The way back shows how it stands, and leads to no further change: the mailbox was asked for the first one.
    const back = await browse((gone.headers.get('location') ?? '').replace('/test', ''));
    expect(back.text).toContain('You are ready to be paid');
    expect(back.text).not.toContain('Change where I am paid');
    // It was their wallet that they came from, and not their client.
    expect(back.text).toContain('Open my payments');
  });

  test('is not corrected by whoever its provider rejected for good: they are told whom to ask', async () => {
    const payee = await readyPayee();
    const browser = await walletOf(client, payee);
    const method = { provider: 'custodial_a', providerAccountId: `acct_${randomUUID()}` };
    await client.post(`/payees/${payee.id}/methods`, method);
    const rejected = { outcome: 'rejected', reason: 'rejected.fraud' };
    await client.post(`/test/payees/${payee.id}/onboarding`, rejected);
    const { text } = await browser.get('/portal');
    expect(text).toMatch(/Please ask .+ what to do\./);
    for (const unsaid of ['rejected.fraud', 'Correct my details']) expect(text).not.toContain(unsaid);
  });

  test('is not changed by a link that a caller handed out', async () => {
    const payee = await readyPayee();
    const { body } = await client.post(`/payees/${payee.id}/onboarding-link`, { returnUrl: 'https://app.example/' });
    expect((await browse(body.url)).text).not.toContain('Change where I am paid');
    expect((await browse(body.url, 'POST')).status).toBe(200);
    expect((await browse(body.url, 'POST')).headers.get('location')).toBeNull();
  });

  test('is not changed by a link of whoever the payee was before, though nobody has to cool down', async () => {
    const hasty = await newClient({ webhookUrl: 'https://app.example/hooks', coolDownSeconds: 0 });
    const payee = await hasty.payablePayee({ email: `${randomUUID()}@example.com` });
    const browser = await walletOf(hasty, payee);
    const link = (await browser.press(await browser.get('/portal'), '/portal/account')).headers.get('location') ?? '';
    await hasty.post('/payees', { externalId: payee.externalId, email: `${randomUUID()}@example.com` });
    expect((await browse(link, 'POST')).headers.get('location')).toBeNull();
  });

  test('is not changed by a link from before another name, whose page offers nothing that leads nowhere', async () => {
    const hasty = await newClient({ webhookUrl: 'https://app.example/hooks', coolDownSeconds: 0 });
    const payee = await hasty.payablePayee({ email: `${randomUUID()}@example.com` });
    const method = { provider: 'custodial_a', providerAccountId: `acct_${randomUUID()}` };
    await hasty.post(`/payees/${payee.id}/methods`, method);
    const browser = await walletOf(hasty, payee);
    const link = (await browser.press(await browser.get('/portal'), '/portal/account')).headers.get('location') ?? '';
    expect((await browse(link)).text).toContain('Change where I am paid');
    await hasty.post('/payees', { externalId: payee.externalId, name: 'Eve' });
    const page = await browse(link);
    expect([page.status, page.text.includes('<form')]).toEqual([200, false]);
    expect((await browse(link, 'POST')).headers.get('location')).toBeNull();
  });

  test('is not changed by whoever has the address of before, nor once the wallet was closed', async () => {
    const begun = async (payee: Json): Promise<{ browser: Browser; wallet: Page; link: string }> => {
      const browser = await walletOf(client, payee);
      const wallet = await browser.get('/portal');
      const { headers } = await browser.press(wallet, '/portal/account');
      return { browser, wallet, link: headers.get('location') ?? '' };
    };
    const moved = await readyPayee();
    const { link } = await begun(moved);
    expect((await browse(link)).text).toContain('Change where I am paid');
    await client.post('/payees', { externalId: moved.externalId, email: `${randomUUID()}@example.com` });
    expect([(await browse(link)).status, (await browse(link, 'POST')).status]).toEqual([404, 404]);
    const left = await begun(await readyPayee());
    await left.browser.press(left.wallet, '/portal/leave');
    expect([(await browse(left.link)).status, (await browse(left.link, 'POST')).status]).toEqual([404, 404]);
  });

  test('is not changed while its payee cools down, nor an hour after the link was used', async () => {
    const payee = await readyPayee();
    const method = { provider: 'custodial_a', providerAccountId: `acct_${randomUUID()}` };
    await client.post(`/payees/${payee.id}/methods`, method);
    const browser = await walletOf(client, payee);
    const wallet = await browser.get('/portal');
    const link = (await browser.press(wallet, '/portal/account')).headers.get('location') ?? '';
    await client.post('/payees', { externalId: payee.externalId, name: 'Eve' });
    const cooling = await browse(link, 'POST');
    expect([cooling.status, cooling.text]).toEqual([409, expect.stringContaining('Please come back later')]);
    expect((await browser.press(wallet, '/portal/account')).status).toBe(401);
    const other = await readyPayee();
    const later = await walletOf(client, other);
    const page = await later.get('/portal');
    await client.post('/test/clock', { advanceSeconds: 3_601 });
    expect((await later.press(page, '/portal/account')).status).toBe(403);
  });
});
