/** Pages of ours in frames of others: one may be shown by the one site that its client registered, and tells that site alone how it stands. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type ApiClient, type Json, newClient } from '../harness/api';
import { contextOf, here, PEOPLE, type Person, startChromium } from '../harness/chromium';
import { type HeldByPayee, heldBy } from '../harness/page-keys';
import { WebhookCatcher } from '../harness/webhook-catcher';

/** Shows whatever stands behind its `#`, and keeps what it is told. */
const FRAMING = `<!doctype html><title>A site</title><script>
window.told = [];
addEventListener('message', ({ origin, data }) => window.told.push({ origin, data }));
addEventListener('DOMContentLoaded', () => {
  const frame = document.createElement('iframe');
  frame.onload = () => (document.title = 'loaded');
  frame.src = decodeURIComponent(location.hash.slice(1));
  document.body.append(frame);
});
</script><body></body>`;

const siteOf = async (): Promise<WebhookCatcher> => {
  const site = await new WebhookCatcher().start();
  site.behave(({ path }, response) =>
    path.startsWith('/site') ? response.writeHead(200, { 'content-type': 'text/html' }).end(FRAMING) : response.end(),
  );
  return site;
};

describe('a page in a frame', () => {
  let browser: Browser;
  let registered: WebhookCatcher;
  let other: WebhookCatcher;
  let client: ApiClient;
  let held: HeldByPayee;
  /** A wallet is open in it. */
  let context: BrowserContext;
  beforeAll(async () => {
    browser = await startChromium();
    [registered, other] = [await siteOf(), await siteOf()];
    client = await newClient({ name: 'Brass & Sons', webhookUrl: registered.url });
    const back = new URL('/done', registered.url).href;
    held = await heldBy(client, back);
    context = await contextOf(browser, PEOPLE[0] as Person);
    const page = await context.newPage();
    await page.goto(here(`/portal/open/${(await heldBy(client, back)).keys.portal}`));
    await page.getByRole('button').click();
    await page.waitForURL(/\/portal$/);
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([registered.stop(), other.stop()]);
  });

  const framed = async (site: WebhookCatcher, link: string): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(`${new URL('/site', site.url).href}#${encodeURIComponent(here(link))}`);
    await page.waitForFunction("document.title === 'loaded'");
    return page;
  };
  const shownIn = async (page: Page): Promise<string | null> => {
    const frame = page.frames()[1];
    return frame && !frame.url().startsWith('chrome-error:') ? frame.textContent('h1') : null;
  };
  const told = (page: Page): Promise<Json[]> => page.evaluate('window.told');
  const linkTo = async (mode: string): Promise<string> => {
    const payee = await client.payee();
    const returnUrl = new URL('/done', registered.url).href;
    return (await client.post(`/payees/${payee.id}/onboarding-link`, { returnUrl, mode })).body.url;
  };

  test('is shown by the site that its client registered, and tells it how it stands', async () => {
    const page = await framed(registered, await linkTo('iframe'));
    expect(await shownIn(page)).toContain('wants to pay you');
    await page.waitForFunction('window.told.length > 0');
    const messages = await told(page);
    expect(messages).toMatchObject([
      { origin: new URL(here('/')).origin, data: { type: 'payout-gateway:onboarding' } },
    ]);
    expect(JSON.stringify(messages)).not.toMatch(/@|onboarding\/|token/);
  });

  test('is shown by no other site, which hears nothing', async () => {
    const page = await framed(other, await linkTo('iframe'));
    expect([await shownIn(page), await told(page)]).toEqual([null, []]);
  });

  test('tells nobody anything where it stands alone', async () => {
    const page = await context.newPage();
    await page.addInitScript("window.told = []; addEventListener('message', ({ data }) => window.told.push(data));");
    await page.goto(here(await linkTo('iframe')));
    await page.getByRole('button', { name: 'Continue' }).waitFor();
    expect(await told(page)).toEqual([]);
  });

  const NOWHERE: [string, () => string | Promise<string>][] = [
    ['onboarding that was not made for a frame', () => linkTo('redirect')],
    ['a way back from the rail', () => `/onboarding/${held.keys.back}`],
    ['a mailed link', () => `/portal/open/${held.keys.portal}`],
    ['the page of a payment', () => `/claim/${held.keys.claim}`],
    ['a link of a mail about waiting money', () => `/wallet/${held.keys.waiting}`],
    ['the wallet', () => '/portal'],
    ['a withdrawal', () => '/portal/withdraw'],
    ['where a payment goes', () => `/portal/payments/${held.payout.id}`],
    ['a page that opens nothing', () => '/onboarding/nothing'],
  ];
  test.each(NOWHERE)('is shown by nobody if it is %s, not even by the registered site', async (_, link) => {
    for (const site of [registered, other]) {
      const page = await framed(site, await link());
      expect([await shownIn(page), await told(page)]).toEqual([null, []]);
      await page.close();
    }
  });
});
