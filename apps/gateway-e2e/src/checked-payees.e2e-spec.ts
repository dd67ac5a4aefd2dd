/** A payee whose client wants them checked: before that no page asks where their money goes, and none sends it there. */
import { randomUUID } from 'node:crypto';
import { type ApiClient, eventually, type Json, newClient, operator } from './harness/api';
import type { Page } from './harness/browse';
import { type Browser, formOf } from './harness/wallet';
import { enter, walletOpenedBy } from './harness/withdrawal';

const ADDRESS = 'mock_ada';
const FIRST = 'First we need to know who you are';

describe('a payee who has to be checked before their money goes on', () => {
  let client: ApiClient;
  let payee: Json;
  let payout: Json;
  let browser: Browser;
  beforeEach(async () => {
    client = await newClient({ name: 'Brass & Sons', checksPayees: true });
    payee = await client.payablePayee({ email: `${randomUUID()}@example.com` });
    payout = (await client.payout(payee.id, { reason: 'mock:swap' })).body;
    browser = await walletOpenedBy(client, payee);
  });

  const place = (): string => `/portal/payments/${payout.id}`;
  const status = async (): Promise<string> => (await client.get(`/payouts/${payout.id}`)).body.status;
  const isPaid = (): Promise<string> => eventually(status, (now) => now === 'paid');
  const wants = (checksPayees: boolean) => operator('PATCH', `/clients/${client.id}`, { checksPayees });
  /** As on the provider's pages. */
  const ends = async (outcome: string, theirs = browser): Promise<Page> => {
    const test = await theirs.get(`${place()}/identity/test`);
    return theirs.press(test, `${place()}/identity/test/${outcome}`);
  };
  /** The page with the address in full, as it was shown before anybody wanted a check. */
  const shownBefore = async (): Promise<Page> => {
    await wants(false);
    const shown = await eventually(
      () => enter(browser, payout.id, ADDRESS),
      ({ text }) => text.includes('Is this your address?'),
    );
    await wants(true);
    await eventually(
      () => browser.get(place()),
      ({ text }) => text.includes(FIRST),
    );
    return shown;
  };
  const send = (shown: Page): Promise<Page> => browser.press(shown, `${place()}/send`);

  test('is led to the check first, and to the address when they are cleared', async () => {
    expect((await browser.get('/portal')).text).toContain('Continue with this payment');
    const asked = await browser.get(place());
    expect([asked.status, asked.text]).toEqual([200, expect.stringContaining(FIRST)]);
    expect(asked.text).not.toContain('Where should it go?');
    const led = await browser.press(asked, `${place()}/identity`);
    expect([led.status, led.headers.get('referrer-policy')]).toEqual([303, 'no-referrer']);
    expect(led.headers.get('location')).toMatch(new RegExp(`${place()}/identity/test$`));
    const ended = await ends('verified');
    expect([ended.status, ended.headers.get('location')]).toEqual([303, place()]);
    expect((await browser.get(place())).text).toContain('Where should it go?');
    const sent = await send(await enter(browser, payout.id, ADDRESS));
    expect(sent.headers.get('location')).toBe(`${place()}/sent`);
    expect(await isPaid()).toBe('paid');
  });

  test('is told how it stands: still checked, rejected and why, cleared after that', async () => {
    await ends('pending');
    const pending = await browser.get(place());
    expect([pending.status, pending.text]).toEqual([200, expect.stringContaining('Your details are being checked')]);
    expect(() => formOf(pending, `${place()}/identity`)).toThrow();
    await ends('rejected');
    const rejected = await browser.get(place());
    expect(rejected.text).toContain('The document could not be read.');
    expect((await enter(browser, payout.id, ADDRESS)).status).toBe(409);
    expect((await browser.press(rejected, `${place()}/identity`)).status).toBe(303);
    await ends('verified');
    expect((await enter(browser, payout.id, ADDRESS)).text).toContain('Is this your address?');
  });

  test.each([
    ['nothing was done', null, 409],
    ['the provider still looks', 'pending', 409],
    ['they were not let through', 'rejected', 409],
    ['the provider does not answer', 'down', 503],
  ])('sends nothing by posting straight to where it is sent, while %s', async (_, outcome, answer) => {
    const shown = await shownBefore();
    if (outcome) await ends(outcome);
    const refused = await send(shown);
    expect([refused.status, refused.headers.get('location')]).toEqual([answer, null]);
    expect(await status()).toBe('submitted');
    expect((await operator('GET', `/payouts/${payout.id}`)).body.legs).toMatchObject([{ destination: null }]);
    await ends('verified');
    expect((await send(shown)).headers.get('location')).toBe(`${place()}/sent`);
    expect(await isPaid()).toBe('paid');
  });

  test('sends nothing by entering an address past the page, nor by checking one', async () => {
    const asked = await browser.get(place());
    const form = new URL(formOf(asked, `${place()}/identity`), 'http://here').searchParams.get('form') ?? '';
    expect((await enter(browser, payout.id, ADDRESS)).status).toBe(409);
    expect((await browser.post(`${place()}/send?to=${ADDRESS}&form=${form}`)).status).toBe(409);
    expect(await status()).toBe('submitted');
  });

  test('with two tabs is cleared in both, and is paid once', async () => {
    const [one, other] = [await browser.get(place()), await browser.get(place())];
    await browser.press(one, `${place()}/identity`);
    await ends('verified');
    // The other tab still shows the step: it leads on to the address now.
    const late = await browser.press(other, `${place()}/identity`);
    expect([late.status, late.headers.get('location')]).toEqual([303, place()]);
    const shown = await enter(browser, payout.id, ADDRESS);
    const sends = await Promise.all([send(shown), send(shown), send(shown)]);
    expect(sends.map(({ headers }) => headers.get('location'))).toEqual(sends.map(() => `${place()}/sent`));
    await isPaid();
    expect((await operator('GET', `/payouts/${payout.id}`)).body.legs).toHaveLength(1);
    // Back to the step after all of it.
    const back = await browser.press(other, `${place()}/identity`);
    expect([back.status, back.headers.get('location')]).toEqual([303, '/portal']);
  });

  test('is nobody else: not another payee, another site, or somebody without the form', async () => {
    const asked = await browser.get(place());
    const stranger = await client.payablePayee({ email: `${randomUUID()}@example.com` });
    const theirs = await walletOpenedBy(client, stranger);
    for (const path of ['', '/identity/test']) expect((await theirs.get(place() + path)).status).toBe(404);
    expect((await theirs.post(formOf(asked, `${place()}/identity`))).status).toBe(403);
    const test = await browser.get(`${place()}/identity/test`);
    const way = `${place()}/identity/test/verified`;
    expect((await theirs.post(formOf(test, way))).status).toBe(403);
    expect((await browser.post(way)).status).toBe(403);
    expect((await browser.press(test, way, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await browser.press(asked, `${place()}/identity`, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await enter(browser, payout.id, ADDRESS)).status).toBe(409);
    // Another payee who was checked clears nobody but themselves.
    const own = (await client.payout(stranger.id, { reason: 'mock:swap' })).body;
    const page = await theirs.get(`/portal/payments/${own.id}/identity/test`);
    await theirs.press(page, `/portal/payments/${own.id}/identity/test/verified`);
    expect((await enter(theirs, own.id, ADDRESS)).status).toBe(200);
    expect((await enter(browser, payout.id, ADDRESS)).status).toBe(409);
  });

  test('has to open the wallet anew after an hour, wherever they are in it', async () => {
    const [asked, test] = [await browser.get(place()), await browser.get(`${place()}/identity/test`)];
    await client.post('/test/clock', { advanceSeconds: 3_601 });
    const pages = [
      await browser.get(place()),
      await browser.get(`${place()}/identity/test`),
      await browser.press(asked, `${place()}/identity`),
      await browser.press(test, `${place()}/identity/test/verified`),
    ];
    expect(pages.map((page) => [page.status, page.text.includes('Is that still you?')])).toEqual(
      pages.map(() => [403, true]),
    );
    expect((await enter(browser, payout.id, ADDRESS)).status).toBe(403);
  });

  test('is led on ten times in ten minutes at the most, however they click', async () => {
    const asked = await browser.get(place());
    const clicks = await Promise.all(Array.from({ length: 13 }, () => browser.press(asked, `${place()}/identity`)));
    expect(clicks.filter((page) => page.status === 303)).toHaveLength(10);
    expect(clicks.filter((page) => page.status === 429)).toHaveLength(3);
  });

  test('is paid by the test helper only if it may: whoever did nothing yet is checked on the way', async () => {
    const claim = () => client.post(`/test/payouts/${payout.id}/claim`, { destination: ADDRESS });
    await ends('rejected');
    expect(await claim()).toMatchObject({ status: 409, body: { error: 'payee_not_checked' } });
    const other = await client.payablePayee({ email: `${randomUUID()}@example.com` });
    payout = (await client.payout(other.id, { reason: 'mock:swap' })).body;
    await eventually(claim, (answer) => answer.status === 200);
    expect(await isPaid()).toBe('paid');
  });

  test('is asked for nothing once their client does not want it any more', async () => {
    await wants(false);
    await eventually(
      () => browser.get(place()),
      ({ text }) => text.includes('Where should it go?'),
    );
    expect((await operator('GET', `/clients/${client.id}`)).body).toMatchObject({ checksPayees: false });
    expect((await operator('PATCH', `/clients/${client.id}`, { checksPayees: 'yes' })).status).toBe(400);
  });

  test('is asked on a page that nobody keeps, and nobody frames', async () => {
    const asked = await browser.get(place());
    expect(asked.headers.get('cache-control')).toBe('no-store');
    expect(asked.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });
});
