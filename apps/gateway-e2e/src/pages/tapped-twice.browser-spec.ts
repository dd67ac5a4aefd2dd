/** A payee on a slow network taps a button again, before the answer to their first tap is there. */
import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { newClient } from '../harness/api';
import { contextOf, here, PEOPLE, type Person, startChromium } from '../harness/chromium';
import { mailedLink } from '../harness/wallet';

describe('the button that opens a wallet', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser.close());

  test('opens it for whoever taps again, though the answer that opened it is lost', async () => {
    const client = await newClient();
    const payee = await client.payablePayee({ email: `${randomUUID()}@example.com` });
    const page = await (await contextOf(browser, PEOPLE[0] as Person)).newPage();
    await page.goto(here(await mailedLink(client, payee)));

    const served: number[] = [];
    let isServed: () => void = () => undefined;
    const first = new Promise<void>((resolve) => (isServed = resolve));
    await page.route('**/portal/open/**', async (route) => {
      if (served.length > 0) return route.continue();
      // By nobody who shares the browser's cookies, and the browser never hears of it.
      served.push((await fetch(route.request().url(), { method: 'POST', redirect: 'manual' })).status);
      isServed();
    });
    const { x = 0, y = 0 } = (await page.getByRole('button', { name: 'Continue' }).boundingBox()) ?? {};
    const tap = (): Promise<void> => page.mouse.click(x + 20, y + 20);
    await tap();
    await first;
    await tap();
    // The browser gives its first request up, which may end a wait for a URL: so what only the wallet has is waited for.
    await page.getByText('Sign out').waitFor();
    expect(page.url()).toMatch(/\/portal$/);
    expect(served).toEqual([303]);
  });
});
