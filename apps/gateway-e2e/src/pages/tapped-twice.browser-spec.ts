/** A payee on a slow network taps a button again, before the answer to their first tap is there. */
import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { newClient } from '../harness/api';
import { contextOf, here, PEOPLE, type Person, startChromium } from '../harness/chromium';
import { linkIn, mailsTo } from '../harness/wallet';

describe('the button that opens a wallet', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser.close());

  test('asks once, however often it is tapped meanwhile: its link opens the wallet once', async () => {
    const client = await newClient();
    const payee = await client.payablePayee({ email: `${randomUUID()}@example.com` });
    await client.post(`/payees/${payee.id}/portal-link`, {});
    const [mail] = await mailsTo(payee.email, 1);

    const page = await (await contextOf(browser, PEOPLE[0] as Person)).newPage();
    await page.goto(here(linkIn(mail)));
    let arrive: () => void = () => undefined;
    const underWay = new Promise<void>((resolve) => (arrive = resolve));
    let asked = 0;
    await page.route('**/portal/**', async (route) => {
      if (route.request().method() === 'POST') asked += 1;
      await underWay;
      await route.continue();
    });
    const { x = 0, y = 0 } = (await page.getByRole('button', { name: 'Continue' }).boundingBox()) ?? {};
    for (let tap = 0; tap < 3; tap += 1) await page.mouse.click(x + 20, y + 20);
    arrive();
    await page.waitForURL(/\/portal$/);
    expect(asked).toBe(1);
  });
});
