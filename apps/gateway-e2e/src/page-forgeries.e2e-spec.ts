/** Requests that no page of ours made: of another site, of another session, under another host; and what every page forbids others. */
import { randomUUID } from 'node:crypto';
import { type ApiClient, type Json, newClient, underTest } from './harness/api';
import { browse, directive, type Page } from './harness/browse';
import { balanceOf, owe } from './harness/owed';
import { type HeldByPayee, heldBy } from './harness/page-keys';
import { requestBytes, sendBytes, statusesOf } from './harness/raw-socket';
import { Browser, formOf, linkIn, mailedLink, mailsTo, walletOf } from './harness/wallet';

const HOOKED = { name: 'Brass & Sons', webhookUrl: 'https://app.example/hooks' };
const fresh = (): { email: string } => ({ email: `${randomUUID()}@example.com` });

describe('a form of the wallet', () => {
  let client: ApiClient;
  let held: HeldByPayee;
  let forms: string[];
  beforeEach(async () => {
    client = await newClient(HOOKED);
    held = await heldBy(client);
    await owe(client, held.payee.id, [5_000]);
    const place = `/portal/payments/${held.payout.id}`;
    forms = [
      ...['/portal/withdraw', '/portal/link', '/portal/account', '/portal/leave'],
      ...[`${place}/send?to=mock_eve`, `${place}/identity`, `${place}/identity/test/verified`],
    ];
  });

  const withForm = (path: string, form: string): string => `${path}${path.includes('?') ? '&' : '?'}form=${form}`;
  const expectNothingDone = async (): Promise<void> => {
    expect((await balanceOf(client, held.payee.id)).withdrawableCents).toBeGreaterThanOrEqual(5_000);
    expect((await client.get(`/payouts/${held.payout.id}`)).body.status).toBe('submitted');
    expect((await held.browser.get('/portal')).status).toBe(200);
    expect(await mailsTo(held.payee.email, 4)).toHaveLength(4);
  };
  const refusedOf = async (send: (path: string) => Promise<Page>): Promise<number[]> =>
    (await Promise.all(forms.map(send))).map(({ status }) => status);

  test.each(['cross-site', 'same-site', 'nonsense'])('is not sent by a page that is %s', async (site) => {
    const sent = await refusedOf((path) =>
      held.browser.post(withForm(path, held.form), { 'sec-fetch-site': site, origin: 'https://evil.test' }),
    );
    expect(sent).toEqual(forms.map(() => 403));
    await expectNothingDone();
  });

  const OTHERS: [string, (form: string) => string][] = [
    ['none', () => ''],
    ['one that was made up', () => 'x'],
    ['a shorter one', (form) => form.slice(1)],
    ['a longer one', (form) => `${form}A`],
    ['one in other letters', (form) => form.toUpperCase()],
    ['two of them', (form) => `${form}&form=${form}`],
  ];
  test.each(OTHERS)('is not sent without what only our pages know, such as with %s', async (_, formOfThem) => {
    const sent = await refusedOf((path) => held.browser.post(withForm(path, formOfThem(held.form))));
    expect(sent).toEqual(forms.map(() => 403));
    await expectNothingDone();
  });

  test('is not sent with what another payee has, nor with nothing at all', async () => {
    const other = await walletOf(client, await client.payablePayee(fresh()));
    const form = new URL(formOf(await other.get('/portal'), '/portal/leave'), 'http://here').searchParams.get('form');
    expect(await refusedOf((path) => held.browser.post(withForm(path, form ?? '')))).toEqual(forms.map(() => 403));
    expect(await refusedOf((path) => held.browser.post(path))).toEqual(forms.map(() => 403));
    await expectNothingDone();
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'is not sent by the form of another site, whose body is %s',
    async (type) => {
      const [base] = underTest().urls;
      const headers = { cookie: held.browser.cookie, 'content-type': type };
      for (const path of forms) {
        const answer = await fetch(base + path, { method: 'POST', headers, body: `form=${held.form}` });
        expect([path, answer.status >= 400 && answer.status < 500]).toEqual([path, true]);
      }
      await expectNothingDone();
    },
  );

  test.each(['GET', 'HEAD', 'PUT'])('is not sent by %s, whatever a parameter or a header says', async (method) => {
    const more = { cookie: held.browser.cookie, 'x-http-method-override': 'POST' };
    for (const path of forms) {
      const { status, headers } = await browse(`${withForm(path, held.form)}&_method=POST`, method, 'en', more);
      // A restored tab is led to the page of its form; whoever sends one is led elsewhere.
      const pages = status === 303 ? ['/portal', `/portal/payments/${held.payout.id}`] : [null];
      expect([path, method === 'PUT' && status === 303, headers.get('set-cookie')]).toEqual([path, false, null]);
      expect(pages).toContain(headers.get('location'));
    }
    await expectNothingDone();
  });

  test('is sent by nobody who has none of the cookies, or one that was made up', async () => {
    for (const cookie of ['', `__Host-wallet=${'a'.repeat(43)}`, `wallet=${held.keys.session}`]) {
      const sent = await refusedOf((path) => browse(withForm(path, held.form), 'POST', 'en', { cookie }));
      expect(sent).toEqual(forms.map(() => 401));
    }
    await expectNothingDone();
  });
});

describe('a browser', () => {
  let client: ApiClient;
  beforeAll(async () => {
    client = await newClient(HOOKED);
  });

  test('is not brought into the wallet of whoever sent it there: the link is still good', async () => {
    const payee = await client.payee(fresh());
    const link = await mailedLink(client, payee);
    const forged = await browse(link, 'POST', 'en', { 'sec-fetch-site': 'cross-site' });
    expect([forged.status, forged.headers.get('set-cookie')]).toEqual([403, null]);
    expect((await new Browser().open(link)).status).toBe(303);
  });

  test('keeps no session that somebody put there: the link makes another one', async () => {
    const payee = await client.payee(fresh());
    const browser = new Browser();
    const planted = `__Host-wallet=${'b'.repeat(43)}`;
    browser.cookie = planted;
    await browser.open(await mailedLink(client, payee));
    expect(browser.cookie).toMatch(/^__Host-wallet=[\w-]{43}$/);
    expect(browser.cookie).not.toBe(planted);
    expect((await browser.get('/portal')).status).toBe(200);
    expect((await browse('/portal', 'GET', 'en', { cookie: planted })).status).toBe(401);
  });

  test('that two people used one after the other sends nothing of the first one by a page that was left open', async () => {
    const people = [await client.payablePayee(fresh()), await client.payablePayee(fresh())] as [Json, Json];
    for (const { id } of people) await owe(client, id, [5_000]);
    const browser = await walletOf(client, people[0]);
    const leftOpen = await browser.get('/portal/withdraw');
    await browser.open(await mailedLink(client, people[1]));
    expect((await browser.press(leftOpen, '/portal/withdraw')).status).toBe(403);
    for (const { id } of people) expect(await balanceOf(client, id)).toMatchObject({ withdrawableCents: 5_000 });
  });

  test('is mailed no link by another site that has found one', async () => {
    const { keys, payee } = await heldBy(client);
    const elsewhere = { 'sec-fetch-site': 'cross-site' };
    expect((await browse(`/claim/${keys.claim}/link`, 'POST', 'en', elsewhere)).status).toBe(404);
    expect((await browse(`/wallet/${keys.waiting}`, 'POST', 'en', elsewhere)).status).toBe(403);
    expect(await mailsTo(payee.email, 4)).toHaveLength(4);
  });
});

describe('a request under another host', () => {
  const FORGED = [
    'Host: evil.test',
    'X-Forwarded-Host: evil.test',
    'X-Forwarded-Proto: gopher',
    'Forwarded: host=evil.test',
  ];

  test('has no link or way back made there', async () => {
    const { keys, payee } = await heldBy(await newClient(HOOKED));
    const close = 'Connection: close';
    const led = await sendBytes(
      requestBytes('POST', `/onboarding/${keys.onboarding}`, [...FORGED, close, 'Content-Length: 0']),
    );
    const opened = await sendBytes(
      requestBytes('POST', `/portal/open/${keys.portal}`, [...FORGED, close, 'Content-Length: 0']),
    );
    const mailed = await sendBytes(
      requestBytes('POST', `/wallet/${keys.waiting}`, [...FORGED, close, 'Content-Length: 0']),
    );
    expect([led, opened, mailed].map((answer) => statusesOf(answer)[0])).toEqual([200, 303, 200]);
    expect(opened).toMatch(/\r\nlocation: \/portal\r\n/i);
    for (const answer of [led, opened, mailed]) expect(answer).not.toContain('evil.test');
    const mails = await mailsTo(payee.email, 5);
    for (const { text, html } of mails) expect(text + html).not.toContain('evil.test');
    expect(linkIn(mails[0] as Json)).not.toBe('');
  });

  test('nor does a parameter say where somebody is sent back to', async () => {
    const { keys } = await heldBy(await newClient(HOOKED));
    const page = await browse(
      `/onboarding/${keys.onboarding}?returnUrl=https://evil.test/&return_url=https://evil.test/`,
    );
    expect(page.text).toContain('href="https://app.example/payouts"');
    expect(page.text).not.toContain('evil.test');
  });
});

describe('every page, also one that says no', () => {
  let held: HeldByPayee;
  beforeAll(async () => {
    held = await heldBy(await newClient({ ...HOOKED, checksPayees: true }));
  });
  const place = (): string => `/portal/payments/${held.payout.id}`;
  const PAGES: [string, number, () => Promise<Page>][] = [
    ['onboarding', 200, () => browse(`/onboarding/${held.keys.onboarding}`)],
    ['the way back', 200, () => browse(`/onboarding/${held.keys.back}`)],
    ['the provider of tests', 200, () => browse(`/onboarding/${held.keys.onboarding}/test`)],
    ['a mailed link', 200, () => browse(`/portal/open/${held.keys.portal}`)],
    ['a payment', 200, () => browse(`/claim/${held.keys.claim}`)],
    ['waiting money', 200, () => browse(`/wallet/${held.keys.waiting}`)],
    ['the wallet', 200, () => held.browser.get('/portal')],
    ['a withdrawal', 200, () => held.browser.get('/portal/withdraw')],
    ['a check', 200, () => held.browser.get(place())],
    ['the check of tests', 200, () => held.browser.get(`${place()}/identity/test`)],
    ['an address before the check', 409, () => held.browser.get(`${place()}/check?to=mock_eve`)],
    ['a link that opens nothing', 404, () => browse('/onboarding/nothing')],
    ['a payment that is not there', 404, () => held.browser.get(`/portal/payments/${randomUUID()}`)],
    ['a closed wallet', 401, () => browse('/portal')],
    ['a forged form', 403, () => held.browser.post('/portal/withdraw')],
  ];

  test.each(PAGES)('%s is kept and framed by nobody, and runs nothing but its own', async (_, status, ask) => {
    const page = await ask();
    expect([page.status, page.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
    expect(directive(page, 'default-src')).toBe("'none'");
    expect(directive(page, 'base-uri')).toBe("'none'");
    expect(directive(page, 'frame-ancestors')).toBe("'none'");
    expect(directive(page, 'script-src')).toMatch(/^'nonce-[\w+/=]{24}'$/);
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page.headers.get('access-control-allow-origin')).toBeNull();
    expect(page.headers.get('set-cookie')).toBeNull();
    expect(page.text).not.toMatch(/ on\w+=|javascript:|<script(?! nonce=)|<style(?! nonce=)/);
    const again = await ask();
    expect(directive(again, 'script-src')).not.toBe(directive(page, 'script-src'));
  });
});
