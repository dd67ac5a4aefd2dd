/** The page of one payment that waits for its payee, and the way of the money from there to an address of theirs. */
import { randomUUID } from 'node:crypto';
import { type ApiClient, eventually, type Json, newClient, operator } from './harness/api';
import { browse, directive, type Page } from './harness/browse';
import { balanceOf, owe, withdraw } from './harness/owed';
import { Browser, linkIn, mailsTo, walletOf } from './harness/wallet';
import { WebhookCatcher } from './harness/webhook-catcher';
import { enter } from './harness/withdrawal';

const fresh = (): { email: string } => ({ email: `${randomUUID()}@example.com` });
/** The last whole day, in words. */
const BY_WHEN = /Claim it by [A-Z][a-z]+ \d+, \d{4}\. After that it goes back to Brass &(amp;)? Sons\./;
const CLAIM = /https?:\/\/\S+\/claim\/[\w-]{64}/;

describe('the page of a payment', () => {
  const catcher = new WebhookCatcher();
  let client: ApiClient;
  let payee: Json;
  beforeAll(() => catcher.start());
  afterAll(() => catcher.stop());
  beforeEach(async () => {
    client = await newClient({ name: 'Brass & Sons', webhookUrl: catcher.url });
    payee = await client.payablePayee(fresh());
  });

  const toldOf = async (id: string, status: string): Promise<Json> => {
    const isIt = ({ json }: { json: unknown }): boolean =>
      (json as Json).transactionId === id && (json as Json).status === status;
    return (await catcher.waitFor(isIt)).json as Json;
  };
  const paid = async (reason: string): Promise<Json> => (await client.payout(payee.id, { reason })).body;
  const pageOf = async (payout: Json): Promise<string> => (await toldOf(payout.id, 'submitted')).claimUrl;

  test('is told with the event and mailed to the payee, and stands in no answer', async () => {
    const payout = await paid('mock:claim');
    expect(payout.claimUrl).toBeNull();
    const url = await pageOf(payout);
    expect(url).toMatch(CLAIM);
    const [mail] = await mailsTo(payee.email, 1);
    expect(mail).toMatchObject({ kind: 'claim_link', subject: 'A payment from Brass & Sons is waiting for you' });
    expect(mail.text).toContain(url);
    expect(mail.text).toMatch(BY_WHEN);
    const { body } = await client.get(`/events?limit=50`);
    const events = body.data.filter((event: Json) => event.payload.transactionId === payout.id);
    expect(events.length).toBeGreaterThan(0);
    expect(events.map((event: Json) => event.payload.claimUrl)).toEqual(events.map(() => null));
    const page = await browse(url);
    for (const text of ['A payment from Brass &amp; Sons', '$10.00', 'Your money is waiting for you'])
      expect(page.text).toContain(text);
    expect(page.text).toMatch(BY_WHEN);
    expect(page.text).not.toContain(payee.email);
    expect(directive(page, 'connect-src')).toBe("'self'");
    expect(directive(page, 'frame-ancestors')).toBe("'none'");
    expect((await browse(url, 'GET', 'ar')).text).toContain('dir="rtl"');
  });

  test('shows how it stands: claimed, paid, over', async () => {
    const payout = await paid('mock:claim');
    const url = await pageOf(payout);
    const claims = await Promise.all([1, 2, 3].map(() => browse(`${url}/test`, 'POST')));
    expect(claims.map(({ status }) => status)).toContain(303);
    const claimed = (await browse(url)).text;
    expect(claimed).toContain('You have claimed it');
    expect(claimed).not.toMatch(BY_WHEN);
    expect((await browse(`${url}/test`, 'POST')).status).toBe(404);
    const late = await browse(`${url}/link`, 'POST');
    expect([late.status, late.headers.get('location')]).toEqual([303, new URL(url).pathname]);
    await client.post(`/test/payouts/${payout.id}/settle`, {});
    expect((await browse(url)).text).toContain('It was sent to you');
    expect((await toldOf(payout.id, 'paid')).claimUrl).toBeNull();
    await client.post(`/test/payouts/${payout.id}/return`, {});
    expect((await browse(url)).text).toContain('This payment came back');
  });

  test('is not mailed for rows of a batch, nor after somebody made it go on by hand', async () => {
    const row = { payeeId: payee.id, amountCents: 1_000, currency: 'USD', reason: 'mock:claim' };
    const { body } = await client.post('/payouts/batch', { idempotencyKey: randomUUID(), items: [row] });
    expect(await pageOf(body.results[0].transaction)).toMatch(CLAIM);
    await operator('PATCH', `/clients/${client.id}`, { railAllowList: ['custodial_a'] });
    const held = await paid('mock:claim');
    expect(held.status).toBe('held');
    await operator('PATCH', `/clients/${client.id}`, { railAllowList: null });
    await client.post(`/payouts/${held.id}/release`, {});
    expect(await pageOf(held)).toMatch(CLAIM);
    const last = await paid('mock:claim');
    const [mail] = await mailsTo(payee.email, 1);
    expect(mail.text).toContain(await pageOf(last));
    expect(await mailsTo(payee.email, 1)).toHaveLength(1);
  });

  test('is linked where a withdrawal made it', async () => {
    await owe(client, payee.id, [5_000], { reason: 'mock:claim' });
    const { body } = await withdraw(client, payee.id);
    expect(body.payoutLink).toMatch(CLAIM);
    expect((await browse(body.payoutLink)).text).toContain('$50.00');
    expect(await balanceOf(client, payee.id)).toMatchObject({ actionNeededCents: 5_000, onTheWayCents: 0 });
  });

  test('has a link mailed so often, and keeps nobody from those that its client asks for', async () => {
    const url = await pageOf(await paid('mock:swap'));
    const clicks = await Promise.all(Array.from({ length: 5 }, () => browse(`${url}/link`, 'POST')));
    expect(clicks.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429]);
    expect((await client.post(`/payees/${payee.id}/portal-link`, {})).status).toBe(200);
  });

  test('opens for nobody who made up a token, or changed one', async () => {
    const url = await pageOf(await paid('mock:claim'));
    const [, token = ''] = url.split('/claim/');
    const flipped = `${token.slice(0, 5)}${token[5] === 'A' ? 'B' : 'A'}${token.slice(6)}`;
    for (const other of [flipped, `${token}A`, token.slice(1), 'x', '%00', randomUUID(), 'A'.repeat(64)])
      expect((await browse(`/claim/${other}`)).status).toBe(404);
    expect((await browse(`/onboarding/${token}`)).status).toBe(404);
    expect((await browse(`/portal/open/${token}`)).status).toBe(404);
    await operator('PATCH', `/clients/${client.id}`, { status: 'closed' });
    expect((await browse(url)).status).toBe(404);
  });

  test('is shown so often a minute, and whoever wants it more often keeps its payee out of nothing', async () => {
    const url = await pageOf(await paid('mock:claim'));
    const pages = await Promise.all(Array.from({ length: 130 }, () => browse(url)));
    expect(pages.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    const browser = await walletOf(client, payee, 2);
    for (const path of ['/portal', url]) expect((await browser.get(path)).status).toBe(200);
  });

  describe('of a rail that waits for an address', () => {
    let payout: Json;
    let browser: Browser;
    const place = (): string => `/portal/payments/${payout.id}`;
    const status = async (): Promise<string> => (await client.get(`/payouts/${payout.id}`)).body.status;
    const check = (address: string): Promise<Page> => enter(browser, payout.id, address);
    beforeEach(async () => {
      payout = await paid('mock:swap');
      browser = await opened();
    });
    /** The payee has a mail with the claim link already. */
    const opened = async (): Promise<Browser> => {
      await mailsTo(payee.email, 1);
      await client.post(`/payees/${payee.id}/portal-link`, {});
      const mails = await mailsTo(payee.email, 2);
      const theirs = new Browser();
      await theirs.open(linkIn(mails.find(({ kind }) => kind === 'portal_link')));
      return theirs;
    };

    test('leads into the wallet, where the address is entered, checked, shown in full, and used once', async () => {
      const stranger = await browse(await pageOf(payout));
      expect(stranger.text).toContain('Send me the link');
      expect((await browser.get(new URL(await pageOf(payout)).pathname)).text).toContain(`href="${place()}"`);
      expect((await browser.get('/portal')).text).toContain(`href="${place()}"`);
      expect((await browser.get(place())).text).toMatch(
        /Where should it go\?[^]*choose USDC on Mocknet, and copy your address\./,
      );
      const shown = await check('  mock_Ada  ');
      expect(shown.text).toContain('Is this your address?');
      expect(shown.text).toContain('Upper or lower case does not matter here.');
      expect((await check(' mock_ada ')).text).not.toContain('lower case');
      const sends = await Promise.all([1, 2, 3].map(() => browser.press(shown, `${place()}/send`)));
      expect(sends.map(({ headers }) => headers.get('location'))).toEqual(sends.map(() => `${place()}/sent`));
      expect((await browser.get(`${place()}/sent`)).text).toMatch(/We are sending it|It was sent to you/);
      expect(await eventually(status, (now) => now === 'paid')).toBe('paid');
      expect((await browser.get(`${place()}/sent`)).text).toContain('It was sent to you');
      const { legs } = (await operator('GET', `/payouts/${payout.id}`)).body;
      expect(legs).toHaveLength(1);
      for (const late of [await check('mock_eve'), await browser.get(place())])
        expect([late.status, late.headers.get('location')]).toEqual([303, '/portal']);
      expect((await browser.get(await pageOf(payout))).text).toContain('It was sent to you');
    });

    test('is on its way once the address is given, though its rail says nothing, and others wait still', async () => {
      payout = await paid('mock:swap_timeout');
      await eventually(
        () => browser.get(place()),
        ({ text }) => text.includes('Where should it go?'),
      );
      await browser.press(await check('mock_ada'), `${place()}/send`);
      const states = (await browser.get('/portal')).text.matchAll(/<span class="state [a-z]+">([^<]+)/g);
      expect([...states].map(([, state]) => state)).toEqual(['Waiting for you', 'On its way']);
    });

    test('takes no address that the rail refuses, and says so', async () => {
      const refused = await check('nowhere');
      expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('This address cannot be used')]);
      expect(refused.text).toContain('value="nowhere"');
      const hostile = await check('"><script>alert(1)</script>');
      expect(hostile.text).not.toContain('<script>alert');
      expect(await status()).toBe('submitted');
    });

    test('shows no address that somebody else put into a link: it is entered here, or nowhere', async () => {
      const theirs = await browser.form();
      const forms = ['', '&form=', '&form=x', `&form=${theirs.slice(1)}`, `&form=${theirs}&form=${theirs}`];
      for (const form of forms) {
        const page = await browser.get(`${place()}/check?to=mock_eve${form}`);
        expect([form, page.status, page.text.includes('Where should it go?')]).toEqual([form, 403, true]);
        expect(page.text).not.toContain('mock_eve');
      }
      const refused = await browser.get(`${place()}/check?to=nowhere`);
      expect([refused.status, refused.text.includes('nowhere')]).toEqual([403, false]);
      expect((await check('mock_ada')).text).toContain('Is this your address?');
    });

    test('sends nothing for another payee, another site, or without a fresh link', async () => {
      const shown = await check('mock_ada');
      const other = await client.payablePayee(fresh());
      const theirs = await walletOf(client, other);
      expect((await theirs.get(place())).status).toBe(404);
      expect((await browser.post(`${place()}/send?to=mock_eve`)).status).toBe(403);
      const elsewhere = { 'sec-fetch-site': 'cross-site' };
      expect((await browser.press(shown, `${place()}/send`, elsewhere)).status).toBe(403);
      expect((await new Browser().get(place())).status).toBe(401);
      await client.post('/test/clock', { advanceSeconds: 3_601 });
      expect((await browser.press(shown, `${place()}/send`)).status).toBe(403);
      expect((await browser.get(place())).text).toContain('Is that still you?');
      expect(await status()).toBe('submitted');
    });

    test('asks for another address when the first one turns out to be refused', async () => {
      payout = await paid('mock:swap_refused');
      const first = await check('mock_ada');
      await browser.press(first, `${place()}/send`);
      const again = await eventually(
        () => browser.get(place()),
        (page) => page.status === 200,
      );
      expect(again.text).toContain('Where should it go?');
      expect(again.text).toContain('Nothing was sent to the last address.');
      expect((await browser.get('/portal')).text).toContain('Nothing was sent to the last address.');
      const isAgain = ({ kind }: Json): boolean => kind === 'payout_needs_you';
      const mails = await eventually(
        () => mailsTo(payee.email, 3),
        (now) => now.some(isAgain),
      );
      expect(mails.filter(isAgain)).toMatchObject([
        {
          subject: 'Your money from Brass & Sons was not sent yet',
          text: expect.stringMatching(/Your money is still yours.*\/claim\//s),
        },
      ]);
      // Loaded again, or gone back to, what they said yes to before is no yes to what is asked now.
      const late = await browser.press(first, `${place()}/send`);
      expect([late.status, late.text]).toEqual([409, expect.stringContaining('Nothing was sent to the last address')]);
      expect((await browser.get(`${place()}/sent`)).headers.get('location')).toBe(place());
      expect((await browser.get(await pageOf(payout))).text).toContain('Nothing was sent to the last address');
      await browser.press(await check('mock_ada2'), `${place()}/send`);
      expect(await eventually(status, (now) => now === 'paid')).toBe('paid');
    });
  });
});
