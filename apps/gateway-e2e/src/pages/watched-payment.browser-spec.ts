/** Somebody keeps the page of their payment open: it asks now and then how it stands, and is read again once that changed. */
import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { newClient } from '../harness/api';
import { contextOf, here, PEOPLE, type Person, startChromium } from '../harness/chromium';
import { claimLinks } from './places';

describe('a payment that somebody watches', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser.close());

  const asksAgain = async (page: Page): Promise<void> => {
    const answer = page.waitForResponse((response) => response.request().resourceType() === 'fetch');
    await page.clock.runFor(5_000);
    await (await answer).finished();
  };

  test('stays as it is, without a complaint of the browser, until it stands otherwise', async () => {
    const client = await newClient();
    const payee = await client.payablePayee({ email: `${randomUUID()}@example.com` });
    const { id } = (await client.payout(payee.id, { reason: 'mock:claim' })).body;
    const link = (await claimLinks(payee.email, 1)).get(id) ?? '';

    const page = await (await contextOf(browser, PEOPLE[0] as Person)).newPage();
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', (error) => said.push(error.message));
    await page.clock.install();
    await page.goto(here(link));
    await page.evaluate('window.isThisOne = true');
    await asksAgain(page);
    await asksAgain(page);
    expect(await page.evaluate('window.isThisOne')).toBe(true);
    expect(said).toEqual([]);

    await client.post(`/test/payouts/${id}/claim`, {});
    await asksAgain(page);
    await page.waitForSelector('[data-stage=claimed]');
    expect(await page.evaluate('window.isThisOne')).toBeUndefined();
  });
});
