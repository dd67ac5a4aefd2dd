/**
 * How much a payee reads and taps until they have their money, all of it: at 230 words a minute, a second for each tap, and five
 * to find a mail, it stays under a minute.
 */
import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { type ApiClient, type Json, newClient } from '../harness/api';
import { contextOf, here, PEOPLE, type Person, startChromium } from '../harness/chromium';
import { owedRow, push } from '../harness/owed';
import { linkIn, mailsTo, WAITING_LINK } from '../harness/wallet';

const WORDS_A_MINUTE = 230;
const SECONDS = { tap: 1, mail: 5 };
const PAYMENT = /https?:\/\/\S+\/claim\/[\w-]{64}/;

describe('from the mail to the money, in words and taps', () => {
  let browser: Browser;
  let client: ApiClient;
  let payee: Json;
  let page: Page;
  let words: number;
  let taps: number;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    [words, taps] = [0, 0];
    client = await newClient({ name: 'Brass & Sons', brand: { supportEmail: 'help@brass.example' } });
    payee = await client.payablePayee({ email: `${randomUUID()}@example.com` });
    page = await (await contextOf(browser, PEOPLE[0] as Person)).newPage();
  });

  const read = (text: string): void => {
    words += text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  };
  const reads = async (): Promise<void> => read(await page.innerText('body'));
  /** The newest of so many, tapped open: its button is where its link stands. */
  async function opens(count: number, linkOf: (mail: Json) => string): Promise<void> {
    const [mail] = (await mailsTo(payee.email, count)) as [Json];
    read(`${mail.subject} ${(mail.text as string).replace(/https?:\S+/g, '')}`);
    taps += 1;
    await page.goto(here(linkOf(mail)));
    await reads();
  }
  async function tapsOn(label: string, until: RegExp): Promise<void> {
    taps += 1;
    await page
      .getByRole('button', { name: label, exact: true })
      .or(page.getByRole('link', { name: label, exact: true }))
      .first()
      .click();
    await page.waitForURL(until);
    await reads();
  }
  const seconds = (mails: number): number =>
    (words / WORDS_A_MINUTE) * 60 + taps * SECONDS.tap + (mails - 1) * SECONDS.mail;

  test('money that waits is withdrawn within a minute', async () => {
    await push(client, [owedRow(payee.id, { amountCents: 16_550 })], { sendEmail: true });
    await opens(1, ({ text }) => WAITING_LINK.exec(text as string)?.[0] ?? '');
    await tapsOn('Send me the link', /\/wallet\//);
    await opens(2, linkIn);
    await tapsOn('Continue', /\/portal$/);
    await tapsOn('Withdraw', /\/portal\/withdraw$/);
    await tapsOn('Withdraw now', /withdrawn=all/);
    expect(seconds(2)).toBeLessThan(60);
  });

  test('a payment that is to be claimed is claimed within a minute', async () => {
    await client.payout(payee.id, { amountCents: 4_200, reason: 'mock:claim' });
    await opens(1, ({ text }) => PAYMENT.exec(text as string)?.[0] ?? '');
    await tapsOn('Test mode: claim it', /\/claim\//);
    expect(seconds(1)).toBeLessThan(60);
  });
});
