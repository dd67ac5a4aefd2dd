/** A payee's wallet: the mailed link, who is let in by it, and what can be done there. */
import { randomUUID } from 'node:crypto';
import { type ApiClient, type Json, newClient, operator } from './harness/api';
import { browse, directive } from './harness/browse';
import { balanceOf, owe, payoutOf } from './harness/owed';
import { Browser, formOf, linkIn, mailedLink, mailsTo, walletOf } from './harness/wallet';

const fresh = (): { email: string } => ({ email: `${randomUUID()}@example.com` });

describe('a link into a wallet', () => {
  let client: ApiClient;
  beforeAll(async () => {
    client = await newClient({ name: 'Brass & Sons' });
  });
  const ask = (payeeId: string, body?: unknown) => client.post(`/payees/${payeeId}/portal-link`, body);

  test('goes by mail to the payee alone, and stands in no answer', async () => {
    const payee = await client.payee({ ...fresh(), locale: 'de' });
    const { status, body } = await ask(payee.id);
    expect([status, body]).toEqual([200, { sent: true, expiresAt: expect.stringMatching(/Z$/) }]);
    const [mail] = await mailsTo(payee.email, 1);
    expect(mail).toMatchObject({ kind: 'portal_link', subject: 'Ihr Link zu Ihrem Geld von Brass & Sons' });
    expect(linkIn(mail)).not.toBe('');
    expect(mail.html).toContain(`href="${linkIn(mail)}"`);
  });

  test('is sent three times in ten minutes, however many ask at once', async () => {
    const payee = await client.payee(fresh());
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(payee.id, {})));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ status, body }) => [status, body.error])).toEqual(Array(5).fill([429, 'rate_limited']));
    for (const { headers } of refused) {
      const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`));
      expect([limit, remaining, headers.get('retry-after')]).toEqual(['3', '0', null]);
      expect(Number(reset)).toBeGreaterThan(0);
      expect(Number(reset)).toBeLessThanOrEqual(600);
    }
    await client.post('/test/clock', { advanceSeconds: 601 });
    expect((await ask(payee.id)).status).toBe(200);
  });

  test('needs an address', async () => {
    const { id } = await client.payee({ email: null });
    const { status, body } = await ask(id);
    expect([status, body.error]).toEqual([422, 'payee_email_missing']);
  });

  test.each([[[]], ['x'], [{ email: 'thief@example.com' }]])('takes no body such as %j', async (body) => {
    const { status, body: answer } = await ask((await client.payee(fresh())).id, body);
    expect([status, answer.error]).toEqual([400, 'invalid_request']);
  });

  test("is not made for another client's payee, nor without the scope", async () => {
    const other = await newClient({ scopes: ['payees:write'] });
    const theirs = await other.payee(fresh());
    expect((await ask(theirs.id)).body.error).toBe('payee_not_found');
    expect((await other.post(`/payees/${theirs.id}/portal-link`)).body.error).toBe('insufficient_scope');
  });

  const CHANGES: [string, (thief: string) => Json][] = [
    ['another address', (thief) => ({ email: thief })],
    ['another name', () => ({ name: 'Eve' })],
    ['another country', () => ({ country: 'CA' })],
  ];
  test.each(CHANGES)('is not sent after a change to %s, and what was opened is closed', async (_, change) => {
    const careful = await newClient({ coolDownSeconds: 3600 });
    const payee = await careful.payee(fresh());
    const method = { provider: 'custodial_a', providerAccountId: `acct_${randomUUID()}` };
    await careful.post(`/payees/${payee.id}/methods`, method);
    const browser = await walletOf(careful, payee);
    const unused = await mailedLink(careful, payee, 2);
    expect((await browser.get('/portal')).status).toBe(200);
    const thief = fresh().email;
    await careful.post('/payees', { externalId: payee.externalId, ...change(thief) });
    expect((await browser.get('/portal')).status).toBe(401);
    expect((await browse(unused)).status).toBe(404);
    expect((await new Browser().open(unused)).status).toBe(404);
    const { status, body } = await careful.post(`/payees/${payee.id}/portal-link`);
    expect([status, body.error]).toEqual([409, 'payee_cooling_down']);
    const isWarning = ({ kind }: Json): boolean => kind === 'details_changed';
    const [warning] = (await mailsTo(payee.email, 3)).filter(isWarning);
    expect(warning).toMatchObject({ subject: 'Your details with e2e were changed' });
    expect(warning.text).not.toMatch(/https?:|@/);
    const theirs = await mailsTo(thief, 'email' in change(thief) ? 1 : 0);
    expect(theirs.every(isWarning)).toBe(true);
  });

  test('opens one browser, once; whoever only looks at it uses nothing up', async () => {
    const payee = await client.payee(fresh());
    const link = await mailedLink(client, payee);
    for (let look = 0; look < 2; look += 1) {
      const { text } = await browse(link);
      expect(text).toContain('Continue');
      // Nothing presses the button by itself, for a program that looks into mails and runs what stands there.
      expect(text).not.toMatch(/<script|http-equiv/);
    }
    expect((await browse(link, 'HEAD')).headers.get('set-cookie')).toBeNull();
    const browsers = Array.from({ length: 5 }, () => new Browser());
    const opened = await Promise.all(browsers.map((browser) => browser.open(link)));
    expect(opened.map(({ status }) => status).sort()).toEqual([303, 404, 404, 404, 404]);
    const [page] = opened.filter(({ status }) => status === 303);
    expect(page?.headers.get('location')).toBe('/portal');
    const cookie = page?.headers.get('set-cookie') ?? '';
    for (const part of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/', 'Max-Age=43200'])
      expect(cookie).toContain(part);
    expect((await browse(link)).status).toBe(404);
  });

  test('leads to the wallet that it opened, in the browser where that still is, and in no other', async () => {
    const payee = await client.payee(fresh());
    const link = await mailedLink(client, payee);
    const browser = new Browser();
    await browser.open(link);
    for (const again of [await browser.get(link), await browser.open(link)])
      expect([again.status, again.headers.get('location')]).toEqual([303, '/portal']);
    const other = await walletOf(client, await client.payee(fresh()));
    const nothing = await other.get(link.replace(/.{9}$/, 'AAAAAAAAA'));
    for (const page of [await other.get(link), await new Browser().get(link), await new Browser().open(link)])
      expect([page.status, page.text.replaceAll(/nonce="[^"]+"/g, '')]).toEqual([
        404,
        nothing.text.replaceAll(/nonce="[^"]+"/g, ''),
      ]);
    const next = await mailedLink(client, payee, 2);
    expect((await browser.get(next)).text).toContain('Continue');
    await browser.press(await browser.get('/portal'), '/portal/leave');
    expect((await browser.get(link)).status).toBe(404);
  });

  test('is over after a quarter of an hour, and a link to another page opens no wallet', async () => {
    const own = await newClient({ webhookUrl: 'https://app.example/hooks' });
    const payee = await own.payee(fresh());
    const link = await mailedLink(own, payee);
    const { body } = await own.post(`/payees/${payee.id}/onboarding-link`, { returnUrl: 'https://app.example/' });
    const [, onboarding] = body.url.split('/onboarding/');
    expect((await new Browser().open(`/portal/open/${onboarding}`)).status).toBe(404);
    expect((await browse(`/onboarding/${link.split('/open/')[1]}`)).status).toBe(404);
    await own.post('/test/clock', { advanceSeconds: 901 });
    expect((await new Browser().open(link)).status).toBe(404);
    for (const token of ['', 'x', `${onboarding}x`, '%00', 'a'.repeat(5_000)])
      expect((await new Browser().open(`/portal/open/${token}`)).status).toBeGreaterThanOrEqual(400);
  });
});

describe('a wallet', () => {
  let client: ApiClient;
  let payee: Json;
  let browser: Browser;
  beforeEach(async () => {
    client = await newClient({ name: 'Brass & Sons' });
    payee = await client.payablePayee(fresh());
    browser = await walletOf(client, payee);
  });

  test('shows what there is, by currency, and goes nowhere else', async () => {
    const empty = await browser.get('/portal');
    expect(empty.text).toContain('There is nothing here yet. When Brass &amp; Sons pays you');
    await owe(client, payee.id, [123_456]);
    await owe(client, payee.id, [700], { currency: 'JPY' });
    await client.payout(payee.id, { amountCents: 2_000 });
    const page = await browser.get('/portal');
    for (const text of ['$1,234.56', '¥700', '$20.00', 'Ready to withdraw', 'Sent to you'])
      expect(page.text).toContain(text);
    expect(directive(page, 'frame-ancestors')).toBe("'none'");
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect((await browser.get('/portal', 'ar')).text).toContain('dir="rtl"');
  });

  test('pays out what is owed, once, however often the button is pressed', async () => {
    const [row] = await owe(client, payee.id, [5_000]);
    const asked = await browser.get('/portal/withdraw');
    expect(asked.text).toContain('$50.00');
    const presses = await Promise.all([1, 2, 3].map(() => browser.press(asked, '/portal/withdraw')));
    expect(presses.map(({ status }) => status).sort()).toEqual([303, 303, 303]);
    const payout = await payoutOf(client, row);
    expect(payout).toMatchObject({ source: 'portal', amountCents: 5_000, status: 'paid' });
    expect(payout.events[0]).toMatchObject({ actor: 'payee' });
    expect(await balanceOf(client, payee.id)).toMatchObject({ withdrawableCents: 0, landedCents: 5_000 });
    expect((await browser.get('/portal?withdrawn=all')).text).toContain('Paid to you: $50.00');
    expect((await browser.get('/portal/withdraw')).status).toBe(409);
  });

  test('says why nothing can be withdrawn', async () => {
    await owe(client, payee.id, [5_000]);
    const page = await browser.get('/portal/withdraw');
    await operator('PATCH', `/clients/${client.id}`, { withdrawPolicy: { perSource: { portal: { enabled: false } } } });
    const refused = await browser.press(page, '/portal/withdraw');
    const said = 'Please ask Brass &amp; Sons when it is paid.';
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining(said)]);
    expect(await balanceOf(client, payee.id)).toMatchObject({ withdrawableCents: 5_000 });
    for (const path of ['/portal', '/portal/withdraw']) expect((await browser.get(path)).text).toContain(said);
    expect((await browser.get('/portal')).text).not.toContain('href="/portal/withdraw"');
  });

  test('tells a payee what is in the way of a payment, and nothing of rails', async () => {
    await client.payout(payee.id, { amountCents: 2_000_000 });
    await client.payout(payee.id, { amountCents: 3_000, reason: 'mock:fail_permanent' });
    const { text } = await browser.get('/portal');
    expect(text).toContain('Brass &amp; Sons is taking care of it.');
    expect(text).toContain('The payment failed.');
    expect(text).not.toMatch(/cap_exceeded|rail/);
  });

  test('takes nothing that no page of its own asked for', async () => {
    await owe(client, payee.id, [5_000]);
    const page = await browser.get('/portal/withdraw');
    const other = await client.payablePayee(fresh());
    const theirs = formOf(await (await walletOf(client, other)).get('/portal'), '/portal/leave').split('?')[1];
    for (const path of ['/portal/withdraw', '/portal/withdraw?form=x', `/portal/withdraw?${theirs}`])
      expect((await browser.post(path)).status).toBe(403);
    expect((await browser.press(page, '/portal/withdraw', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await new Browser().post(formOf(page, '/portal/withdraw'))).status).toBe(401);
    expect(await balanceOf(client, payee.id)).toMatchObject({ withdrawableCents: 5_000 });
  });

  test('an hour later asks for a new link before money moves, and mails it', async () => {
    await owe(client, payee.id, [5_000]);
    const page = await browser.get('/portal/withdraw');
    await client.post('/test/clock', { advanceSeconds: 3_601 });
    const refused = await browser.press(page, '/portal/withdraw');
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('Is that still you?')]);
    expect((await browser.get('/portal')).status).toBe(200);
    expect((await browser.press(refused, '/portal/link')).text).toContain('Check your e-mail');
    const [mail] = await mailsTo(payee.email, 2);
    await browser.open(linkIn(mail));
    const again = await browser.press(await browser.get('/portal/withdraw'), '/portal/withdraw');
    expect(again.headers.get('location')).toBe('/portal?withdrawn=all');
    await client.post('/test/clock', { advanceSeconds: 12 * 3_600 });
    expect((await browser.get('/portal')).status).toBe(401);
  });

  test('closes when it is left, for whoever kept the cookie too', async () => {
    const left = await browser.press(await browser.get('/portal'), '/portal/leave');
    expect(left.headers.get('set-cookie')).toMatch(/^__Host-wallet=;/);
    expect((await browser.get('/portal')).status).toBe(401);
  });

  test.each([
    ['/portal/link', '/portal'],
    ['/portal/account?form=x', '/portal'],
    ['/portal/leave', '/portal'],
    ['/portal/payments/7/send?to=mock_eve', '/portal/payments/7'],
    ['/portal/payments/7/take', '/portal/payments/7'],
    ['/portal/payments/7/identity/test/verified', '/portal/payments/7'],
    ['/onboarding/x/test/verified', '/onboarding/x'],
    ['/claim/x/link', '/claim/x'],
  ])('restored in a tab leads from %s to the page of its form, and does nothing', async (path, page) => {
    const { status, headers } = await browser.get(path);
    expect([status, headers.get('location')]).toEqual([303, page]);
    expect((await browser.get('/portal')).status).toBe(200);
  });

  test('lets somebody who is not ready get ready, and leads back', async () => {
    const person = await client.payee(fresh());
    const theirs = await walletOf(client, person);
    const page = await theirs.get('/portal');
    expect(page.text).toContain('Before you can be paid');
    const standing = async (outcome: string, reason?: string): Promise<string> => {
      await client.post(`/test/payees/${person.id}/onboarding`, { outcome, reason });
      return (await theirs.get('/portal')).text;
    };
    expect(await standing('pending')).toContain('Your details are being checked');
    const rejected = await standing('rejected', 'The photo was blurred.');
    for (const said of ['Reason: The photo was blurred.', 'Correct my details']) expect(rejected).toContain(said);
    await client.payout(person.id, { amountCents: 700 });
    expect((await theirs.get('/portal')).text).toContain('Your account is not ready yet.');
    expect(await standing('verified')).toContain(
      'Your account is ready. Brass &amp; Sons still has to send this payment.',
    );
    const onward = await theirs.press(page, '/portal/account');
    const location = onward.headers.get('location') ?? '';
    expect(location).toMatch(/^\/onboarding\//);
    expect((await browse(location)).text).toMatch(/href="[^"]*\/portal"/);
  });

  test('moves nothing while its client is suspended', async () => {
    await owe(client, payee.id, [5_000]);
    const page = await browser.get('/portal/withdraw');
    await operator('PATCH', `/clients/${client.id}`, { status: 'suspended' });
    const refused = await browser.press(page, '/portal/withdraw');
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Please contact Brass &amp; Sons')]);
    await operator('PATCH', `/clients/${client.id}`, { status: 'active' });
    expect(await balanceOf(client, payee.id)).toMatchObject({ withdrawableCents: 5_000 });
  });

  test('is shown so often a minute, and the wallets of others all the same', async () => {
    const pages = await Promise.all(Array.from({ length: 130 }, () => browser.get('/portal')));
    expect(pages.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    expect(pages.every(({ status }) => status === 200 || status === 429)).toBe(true);
    const other = await walletOf(client, await client.payee(fresh()));
    expect((await other.get('/portal')).status).toBe(200);
  });

  test('is closed with its client', async () => {
    await operator('PATCH', `/clients/${client.id}`, { status: 'closed' });
    expect((await browser.get('/portal')).status).toBe(401);
  });
});
