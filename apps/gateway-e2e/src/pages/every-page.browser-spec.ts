/** Every page that a payee may see, as different people see it: nothing is found by axe, nothing overflows, all is reached by keys. */
import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext } from 'playwright-core';
import { type ApiClient, type Json, newClient } from '../harness/api';
import {
  complaintsOf,
  contextOf,
  formOn,
  here,
  keepPicture,
  nameOf,
  overflowOf,
  PEOPLE,
  type Person,
  reachedByTab,
  startChromium,
} from '../harness/chromium';
import { owe } from '../harness/owed';
import { linkIn, mailsTo } from '../harness/wallet';
import { linksToPages, type Places } from './places';

describe.each(PEOPLE.map((person) => [nameOf(person), person] as const))('the pages of payees: %s', (name, person) => {
  let browser: Browser;
  let context: BrowserContext;
  let places: Places;
  let form: string;
  beforeAll(async () => {
    browser = await startChromium();
    context = await contextOf(browser, person);
    places = await linksToPages(person);
    const page = await context.newPage();
    await page.goto(here(places.opening));
    await page.click('button');
    await page.waitForURL(/\/portal$/);
    form = await formOn(page);
    await page.close();
  });
  afterAll(() => browser.close());

  const PAGES: (keyof Places)[] = [
    ...(['start', 'provider', 'rejected', 'checking', 'ready', 'gone'] as const),
    ...(['claimProvider', 'claimWallet', 'claimed', 'wallet', 'withdraw', 'destination', 'refusedAddress'] as const),
    ...(['confirm', 'change', 'waiting', 'design'] as const),
  ];

  test.each(PAGES)('%s', async (place) => {
    const page = await context.newPage();
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', (error) => said.push(error.message));
    const answer = await page.goto(here(places[place].replace(/(\?to=\w+)$/, `$1&form=${form}`)));
    expect(await page.getAttribute('html', 'lang')).toBe(person.language);
    await keepPicture(page, `${place}-${name}`);
    expect(await complaintsOf(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    const reached = await reachedByTab(page);
    expect(new Set(reached).size).toBe(reached.length);
    expect(reached.filter((html) => html.startsWith('<body'))).toEqual([]);
    // What a page is answered with other than 200 the browser notes by itself.
    expect(said.filter((line) => !line.includes('Failed to load resource'))).toEqual([]);
    expect((await answer?.body())?.length).toBeLessThan(50_000);
    await page.close();
  });
});

describe('with scripts off, and by keys alone', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser.close());

  test('a payee goes from the mail to the money', async () => {
    const client: ApiClient = await newClient({ name: 'Brass & Sons' });
    const payee: Json = await client.payablePayee({ email: `${randomUUID()}@example.com` });
    await owe(client, payee.id, [12_345]);
    await client.post(`/payees/${payee.id}/portal-link`, {});
    const [mail] = await mailsTo(payee.email, 1);
    const person: Person = { language: 'en', colorScheme: 'light', isPhone: true, javaScriptEnabled: false };
    const page = await (await contextOf(browser, person)).newPage();
    /** Tab to what says so, and press it. */
    const press = async (label: string): Promise<void> => {
      const wanted = page.getByText(label, { exact: true });
      for (let tab = 0; tab < 10; tab += 1) {
        await page.keyboard.press('Tab');
        if ((await wanted.and(page.locator(':focus')).count()) > 0) break;
      }
      await page.keyboard.press('Enter');
    };
    await page.goto(here(linkIn(mail)));
    await press('Continue');
    await page.waitForURL(/\/portal$/);
    await press('Withdraw');
    await page.waitForURL(/\/portal\/withdraw$/);
    expect(await page.textContent('main')).toContain('$123.45');
    await press('Withdraw now');
    await page.waitForURL(/withdrawn=all/);
    await page.goBack();
    expect(await page.textContent('main')).toContain('Nothing to withdraw for now');
    const { body } = await client.get(`/payees/${payee.id}/balance`);
    expect(body).toMatchObject({ withdrawableCents: 0, landedCents: 12_345 });
  });
});
