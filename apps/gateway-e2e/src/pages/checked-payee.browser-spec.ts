/** The step before the address, in a browser: on a phone, by keys alone, with scripts off, and with the back button. */
import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type ApiClient, type Json, newClient } from '../harness/api';
import {
  complaintsOf,
  contextOf,
  here,
  keepPicture,
  nameOf,
  overflowOf,
  PEOPLE,
  type Person,
  reachedByTab,
  startChromium,
} from '../harness/chromium';
import { payeeSwap } from '../harness/checked-payee';

describe('a payee who has to be checked', () => {
  let browser: Browser;
  let client: ApiClient;
  beforeAll(async () => {
    browser = await startChromium();
    client = await newClient({ name: 'Brass & Sons', checksPayees: true, brand: { color: '#0b5d3b' } });
  });
  afterAll(() => browser.close());

  /** In a wallet that was opened by its mail, at the payment that waits. */
  async function opened(person: Person): Promise<{ page: Page; context: BrowserContext; payout: Json; place: string }> {
    const { payout, link } = await payeeSwap(client, person.language);
    const context = await contextOf(browser, person);
    const page = await context.newPage();
    await page.goto(here(link));
    await page.click('button');
    await page.waitForURL(/\/portal$/);
    const place = `/portal/payments/${payout.id}`;
    await page.goto(here(place));
    return { page, context, payout, place };
  }

  const isFine = async (page: Page, name: string, person: Person): Promise<void> => {
    await keepPicture(page, `${name}-${nameOf(person)}`);
    expect(await page.getAttribute('html', 'lang')).toBe(person.language);
    expect([name, await complaintsOf(page), await overflowOf(page)]).toEqual([name, [], 0]);
    const reached = await reachedByTab(page);
    expect([new Set(reached).size, reached.filter((html) => html.startsWith('<body'))]).toEqual([reached.length, []]);
  };

  test.each(PEOPLE.map((person) => [nameOf(person), person] as const))(
    'sees pages on which nothing is found: %s',
    async (_, person) => {
      const { page, place } = await opened(person);
      await isFine(page, 'identity', person);
      const ends = async (which: number): Promise<void> => {
        await page.goto(here(`${place}/identity/test`));
        await page.locator('form button').nth(which).click();
        await page.waitForURL(new RegExp(`${place}$`));
      };
      await page.goto(here(`${place}/identity/test`));
      await isFine(page, 'identityTest', person);
      for (const [name, which] of [
        ['identityChecking', 1],
        ['identityRejected', 2],
      ] as const) {
        await ends(which);
        await isFine(page, name, person);
      }
    },
  );

  test('goes through it on a phone by keys alone, with scripts off, and to the address', async () => {
    const person: Person = { language: 'en', colorScheme: 'light', isPhone: true, javaScriptEnabled: false };
    const { page, payout } = await opened(person);
    /** Tab to what says so, and press it. */
    const press = async (label: string): Promise<void> => {
      const wanted = page.getByText(label, { exact: true });
      for (let tab = 0; tab < 10; tab += 1) {
        await page.keyboard.press('Tab');
        if ((await wanted.and(page.locator(':focus')).count()) > 0) break;
      }
      await page.keyboard.press('Enter');
    };
    await press('Continue');
    await page.waitForURL(/\/identity\/test$/);
    await press('Rejected');
    await page.getByText('The document could not be read.').waitFor();
    await press('Correct my details');
    await page.waitForURL(/\/identity\/test$/);
    await press('The provider does not answer');
    await page.getByText('Please try again in a moment').waitFor();
    await press('Try again');
    await page.getByText('Your details could not be confirmed').waitFor();
    await press('Correct my details');
    await page.waitForURL(/\/identity\/test$/);
    await press('Verified');
    await page.getByText('Where should it go?').waitFor();
    await page.getByLabel('Wallet address').focus();
    await page.keyboard.type('mock_ada');
    await page.keyboard.press('Enter');
    await page.getByText('Is this your address?').waitFor();
    await press('Yes, send it there');
    await page
      .getByText(/We are sending it|It was sent to you/)
      .first()
      .waitFor();
    const { body } = await client.get(`/payouts/${payout.id}`);
    expect(['submitted', 'paid']).toContain(body.status);
  });

  test('goes back and forth between two tabs, and is never asked for an address before they are cleared', async () => {
    const { page, context, place } = await opened(PEOPLE[0] as Person);
    const other = await context.newPage();
    await other.goto(here(`${place}/check?to=mock_${randomUUID().slice(0, 8)}`));
    expect(await other.textContent('h1')).toBe('First we need to know who you are');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(/\/identity\/test$/);
    await page.goBack();
    expect(await page.textContent('h1')).toBe('First we need to know who you are');
    await page.goForward();
    await page.getByRole('button', { name: 'Verified' }).click();
    await page.getByText('Where should it go?').waitFor();
    // The tab that still shows the step is led on by its button.
    await other.getByRole('button', { name: 'Continue' }).click();
    await other.getByText('Where should it go?').waitFor();
    await page.goBack();
    expect(await page.textContent('h1')).toMatch(/how does it end|Where should it go/);
  });
});
