/** The page on which a payee gets ready to be paid, as a browser and whoever makes its link meet it. */
import { randomUUID } from 'node:crypto';
import { type ApiClient, type Json, newClient, operator } from './harness/api';
import { browse, directive, type Page } from './harness/browse';

const WEBHOOK = 'https://app.example/hooks/payouts';
const RETURN = 'https://app.example/payouts?from=us';

const onwardOf = ({ text }: Page): string => /action="([^"]+)"/.exec(text)?.[1] ?? '';

describe('a link to the onboarding page', () => {
  let client: ApiClient;
  const linkOf = (payeeId: string, body: Json = { returnUrl: RETURN }) =>
    client.post(`/payees/${payeeId}/onboarding-link`, body);

  beforeAll(async () => {
    client = await newClient({ name: 'Brass & Sons', webhookUrl: WEBHOOK });
  });

  test('is a page of this service, for a quarter of an hour', async () => {
    const payee = await client.payee();
    const { status, body } = await linkOf(payee.id);
    expect(status).toBe(200);
    expect(body).toEqual({
      url: expect.stringMatching(/\/onboarding\/[A-Za-z0-9_-]{43}$/),
      provider: 'mock',
      mode: 'redirect',
      expiresAt: expect.stringMatching(/Z$/),
    });
    expect((await linkOf(payee.id)).body.url).not.toBe(body.url);
  });

  test.each([
    ['https://app.example.evil.example/x'],
    ['https://evil.example/?app.example'],
    ['https://app.example@evil.example/'],
    ['https://user:password@app.example/'],
    ['http://app.example/'],
    ['//app.example/'],
    ['/payouts'],
    ['javascript:alert(1)//app.example'],
    [' https://app.example/'],
    ['http://localhost.evil.example/'],
    [''],
  ])('sends nobody to %j', async (returnUrl) => {
    const payee = await client.payee();
    const { status, body } = await linkOf(payee.id, { returnUrl });
    expect([status, body.error]).toEqual([400, 'invalid_return_url']);
  });

  test.each(['https://app.example/', 'https://APP.example:8443/a?b#c', 'http://localhost:5173/done'])(
    'sends its payee back to %s',
    async (returnUrl) => expect((await linkOf((await client.payee()).id, { returnUrl })).status).toBe(200),
  );

  test.each([{}, { returnUrl: 7 }, { returnUrl: RETURN, mode: 'popup' }, { returnUrl: RETURN, more: 1 }])(
    'is not made of %j',
    async (body) => {
      const answer = await linkOf((await client.payee()).id, body);
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
    },
  );

  test('is made for nobody else, and not without its scope', async () => {
    const stranger = await newClient({ webhookUrl: WEBHOOK, scopes: ['payees:write', 'payees:read'] });
    const payee = await stranger.payee();
    for (const id of [payee.id, randomUUID(), 'x']) expect((await linkOf(id)).body.error).toBe('payee_not_found');
    const refused = await stranger.post(`/payees/${payee.id}/onboarding-link`, { returnUrl: RETURN });
    expect([refused.status, refused.body.error]).toEqual([403, 'insufficient_scope']);
  });

  test('for a frame it needs a site that may frame it', async () => {
    const unknown = await newClient();
    const payee = await unknown.payee();
    const returnUrl = 'http://localhost:5173/';
    const { body } = await unknown.post(`/payees/${payee.id}/onboarding-link`, { returnUrl, mode: 'iframe' });
    expect(body.error).toBe('invalid_return_url');
  });
});

describe('the onboarding page', () => {
  let client: ApiClient;
  beforeAll(async () => {
    client = await newClient({ name: '<b>Brass & "Sons"</b>', webhookUrl: WEBHOOK });
  });
  const pageFor = async (fields: Json = {}, link: Json = {}): Promise<{ payee: Json; url: string }> => {
    const payee = await client.payee(fields);
    const { body } = await client.post(`/payees/${payee.id}/onboarding-link`, { returnUrl: RETURN, ...link });
    return { payee, url: body.url };
  };
  const payeeNow = async (id: string) => (await client.get(`/payees/${id}`)).body;

  test('says who pays, what is needed, and the way back; nothing of it is kept, framed or run from elsewhere', async () => {
    const { url } = await pageFor();
    const page = await browse(url);
    expect(page.status).toBe(200);
    expect(page.text).toContain('&lt;b>Brass &amp; &quot;Sons&quot;&lt;/b> wants to pay you');
    expect(page.text).toContain('href="https://app.example/payouts?from=us"');
    expect(page.text).not.toContain('<script');
    expect(Buffer.byteLength(page.text)).toBeLessThan(50_000);
    expect(directive(page, 'default-src')).toBe("'none'");
    expect(directive(page, 'frame-ancestors')).toBe("'none'");
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('set-cookie')).toBeNull();
  });

  test('in test mode it leads through a provider whose finding is chosen, and back to where the payee stands', async () => {
    const { payee, url } = await pageFor();
    const left = await browse(onwardOf(await browse(url)), 'POST');
    expect(left.status).toBe(303);
    const provider = left.headers.get('location') as string;
    expect(new URL(provider).pathname).toMatch(/^\/onboarding\/[A-Za-z0-9_-]{43}\/test$/);
    expect((await browse(provider)).text).toContain('Test mode');

    const rejected = await browse(`${provider}/rejected`, 'POST');
    const standing = await browse(rejected.headers.get('location') as string);
    expect(standing.text).toContain('The document could not be read.');
    expect(await payeeNow(payee.id)).toMatchObject({ kycStatus: 'rejected', payable: false });

    await browse(`${provider}/verified`, 'POST');
    const ready = await browse(rejected.headers.get('location') as string);
    expect(ready.text).toContain('You are ready to be paid');
    expect(ready.text).not.toContain('<form');
    expect(await payeeNow(payee.id)).toMatchObject({ kycStatus: 'verified', payable: true });
  });

  test('once its payee is ready there is nothing to go on to', async () => {
    const { payee, url } = await pageFor();
    await client.post(`/test/payees/${payee.id}/onboarding`, { outcome: 'verified' });
    const page = await browse(url, 'POST');
    expect([page.status, page.headers.get('location')]).toEqual([200, null]);
    expect(page.text).toContain('You are ready to be paid');
  });

  test('in a frame it tells the one site that may show it how the payee stands', async () => {
    const { url } = await pageFor({}, { mode: 'iframe' });
    const page = await browse(url);
    expect(directive(page, 'frame-ancestors')).toBe('https://app.example');
    expect(page.headers.get('x-frame-options')).toBeNull();
    const nonce = /'nonce-([^']+)'/.exec(directive(page, 'script-src') ?? '')?.[1];
    expect(page.text).toContain(`<script nonce="${nonce}">`);
    expect(page.text).toContain('"kycStatus":"not_started"');
    expect(page.text).toContain('postMessage(');
    expect(page.text).toContain('"https://app.example")');
    expect(page.text).toContain('target="_top"');
  });

  test.each([
    ['de-AT,en;q=0.5', 'de', 'ltr', 'möchte Ihnen Geld auszahlen'],
    ['ar', 'ar', 'rtl', 'يريد'],
    ['xx', 'en', 'ltr', 'wants to pay you'],
  ])('speaks to a browser that wants %s', async (wanted, language, direction, said) => {
    const page = await browse((await pageFor()).url, 'GET', wanted);
    expect(page.text).toContain(`<html lang="${language}" dir="${direction}">`);
    expect(page.headers.get('content-language')).toBe(language);
    expect(page.text).toContain(said);
  });

  test('a payee who is blocked reads so, and cannot go on', async () => {
    const { payee, url } = await pageFor();
    await operator('PATCH', `/payees/${payee.id}`, { blocked: true, blockReason: 'a secret of ours' });
    const page = await browse(url, 'POST');
    expect(page.text).toContain('Payments to you are on hold');
    expect(page.text).not.toContain('a secret of ours');
    expect(page.text).not.toContain('<form');
  });

  test('whose details were changed a short while ago has to wait before a click leads anywhere', async () => {
    const careful = await newClient({ name: 'Careful', webhookUrl: WEBHOOK, coolDownSeconds: 3600 });
    const payee = await careful.payablePayee();
    const { body } = await careful.post(`/payees/${payee.id}/onboarding-link`, { returnUrl: RETURN });
    await careful.post(`/test/payees/${payee.id}/onboarding`, { outcome: 'rejected' });
    await careful.post(`/payees/${payee.id}/methods`, {
      provider: 'custodial_a',
      providerAccountId: `acct_restricted${randomUUID()}`,
    });
    await careful.post('/payees', { externalId: payee.externalId, email: 'thief@example.com' });
    const page = await browse(body.url, 'POST');
    expect([page.status, page.headers.get('location')]).toEqual([409, null]);
    expect(page.text).toContain('Your details were changed a short while ago');
  });

  test('ten clicks in a row are enough', async () => {
    const { url } = await pageFor();
    for (let click = 0; click < 10; click++) expect((await browse(url, 'POST')).status).toBe(303);
    expect((await browse(url, 'POST')).status).toBe(429);
  });

  test('of a live client nobody chooses what a provider finds, and the page of a custody-free payee asks for nothing', async () => {
    const live = await newClient({ name: 'Live', testMode: false, webhookUrl: WEBHOOK, railAllowList: ['claim_rail'] });
    const payee = await live.payee();
    const { body } = await live.post(`/payees/${payee.id}/onboarding-link`, { returnUrl: RETURN });
    expect((await browse(body.url)).status).toBe(200);
    expect((await browse(`${body.url}/test`)).status).toBe(404);
    expect((await browse(`${body.url}/test/verified`, 'POST')).status).toBe(404);
    expect((await live.get(`/payees/${payee.id}`)).body.kycStatus).toBe('not_started');
  });

  test('what opens nothing looks the same, whatever it is', async () => {
    const { url } = await pageFor();
    const token = new URL(url).pathname.split('/').at(-1) as string;
    const wrong = [token.slice(1), `${token}x`, token.split('').reverse().join(''), 'x', token.toUpperCase()];
    const pages = await Promise.all(wrong.map((text) => browse(`/onboarding/${text}`)));
    const texts = pages.map(({ text }) => text.replaceAll(/nonce="[^"]+"/g, ''));
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([404]));
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toContain('This link does not work');
  });

  test('a link of a client that was closed opens nothing', async () => {
    const closing = await newClient({ webhookUrl: WEBHOOK });
    const payee = await closing.payee();
    const { body } = await closing.post(`/payees/${payee.id}/onboarding-link`, { returnUrl: RETURN });
    await operator('PATCH', `/clients/${closing.id}`, { status: 'closed' });
    expect((await browse(body.url)).status).toBe(404);
  });
});
