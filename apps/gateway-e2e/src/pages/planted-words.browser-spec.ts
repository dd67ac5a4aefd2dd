/** Words of others on our pages: whatever a caller, an operator, a payee or a provider wrote is read, and never run. */
import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type ApiClient, type Json, newClient } from '../harness/api';
import { contextOf, formOn, here, PEOPLE, type Person, startChromium } from '../harness/chromium';
import { linkIn, mailsTo } from '../harness/wallet';

const IMAGE = '<img src=x onerror="window.planted=1">';
const SCRIPT = `"></script><script>window.planted=1</script>`;
const BRAND = `Br & Co ${IMAGE}`;

describe('what others wrote', () => {
  let browser: Browser;
  let context: BrowserContext;
  let client: ApiClient;
  let payee: Json;
  let payout: Json;
  let form: string;
  const said: string[] = [];
  beforeAll(async () => {
    browser = await startChromium();
    context = await contextOf(browser, PEOPLE[0] as Person);
    await context.addInitScript('window.planted = 0;');
    const brand = { name: BRAND, logo: `https://cdn.example/${encodeURIComponent(SCRIPT)}.png?"onerror="x` };
    client = await newClient({ name: SCRIPT, brand, webhookUrl: 'https://app.example/hooks' });
    const fields = { email: `${randomUUID()}@example.com`, name: `Ada ${IMAGE}`, metadata: { a: SCRIPT } };
    payee = await client.payablePayee(fields);
    payout = (await client.payout(payee.id, { reason: 'mock:swap', ref: SCRIPT })).body;
    await client.payout(payee.id, { reason: SCRIPT, ref: IMAGE });
    await mailsTo(payee.email, 1);
    await client.post(`/payees/${payee.id}/portal-link`, {});
    const mails = await mailsTo(payee.email, 2);
    const page = await opened(linkIn(mails.find(({ kind }) => kind === 'portal_link')));
    await page.getByRole('button').click();
    await page.waitForURL(/\/portal$/);
    form = await formOn(page);
    await page.close();
  });
  afterAll(() => browser.close());

  async function opened(link: string): Promise<Page> {
    const page = await context.newPage();
    page.on('dialog', (dialog) => {
      said.push(dialog.message());
      void dialog.dismiss();
    });
    await page.goto(here(link));
    return page;
  }

  async function onboarding(outcome?: string, reason?: string): Promise<string> {
    const { id } = await client.payee({ name: SCRIPT });
    if (outcome) await client.post(`/test/payees/${id}/onboarding`, { outcome, reason });
    const returnUrl = `https://app.example/done?${SCRIPT}`;
    return (await client.post(`/payees/${id}/onboarding-link`, { returnUrl, mode: 'iframe' })).body.url;
  }

  const place = (): string => `/portal/payments/${payout.id}`;
  const PAGES: [string, () => string | Promise<string>, string][] = [
    ['onboarding', () => onboarding(), BRAND],
    ['a rejection, in the words of who checked', () => onboarding('rejected', `${IMAGE} ${SCRIPT}`), IMAGE],
    ['a payee who is ready', () => onboarding('verified'), BRAND],
    ['the wallet', () => '/portal', BRAND],
    ['where a payment goes', place, BRAND],
    ['an address that was entered', () => `${place()}/check?to=${encodeURIComponent(SCRIPT)}&form=${form}`, BRAND],
  ];
  test.each(PAGES)('is read, and not run: %s', async (_, link, read) => {
    const page = await opened(await link());
    expect(await page.textContent('main')).toContain(read);
    expect(await page.evaluate('window.planted')).toBe(0);
    // None of ours: it would have become one.
    expect(await page.locator('main img[src=x], script:not([nonce])').count()).toBe(0);
    expect(said).toEqual([]);
    await page.close();
  });

  test('nor in the mails that are kept, as a mail program would show them', async () => {
    for (const mail of await mailsTo(payee.email, 2)) {
      expect(mail.subject).not.toMatch(/[<>\r\n]/);
      const page = await context.newPage();
      await page.setContent(mail.html);
      expect(await page.evaluate('window.planted ?? 0')).toBe(0);
      expect(await page.locator('script, img[src=x]').count()).toBe(0);
      await page.close();
    }
  });
});
