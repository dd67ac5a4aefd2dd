/** All the way, with nothing stood in for but the provider: a mail by SMTP, its link in a browser, the money at PayPal, the events. */
import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { type Json, newClient, operator } from '../harness/api';
import { complaintsOf, contextOf, here, overflowOf, PEOPLE, type Person, startChromium } from '../harness/chromium';
import { MailServer } from '../harness/mail-server';
import { owedRow, push } from '../harness/owed';
import { type RailService, startRailService, stopRailService } from '../harness/rail-sandbox';
import { WAITING_LINK } from '../harness/wallet';
import { WebhookCatcher } from '../harness/webhook-catcher';

const RAIL = 'claim_rail';
const GIFTS = 'gift_rail';
const PAYMENT = /https?:\/\/\S+\/claim\/[\w-]{64}/;
const OPENING = /https?:\/\/\S+\/portal\/open\/[\w-]{43}/;

describe('from the mail to the money', () => {
  let browser: Browser;
  let mails: MailServer;
  let catcher: WebhookCatcher;
  let service: RailService;
  beforeAll(async () => {
    browser = await startChromium();
    mails = await new MailServer().start();
    catcher = await new WebhookCatcher().start();
    service = await startRailService({ SMTP_URL: mails.url, MAIL_FROM: 'pay@gateway.example' });
    await operator('PUT', '/routes', { routes: { DE: [RAIL], ES: [GIFTS] } });
  });
  afterAll(async () => {
    await Promise.all([browser.close(), stopRailService(service)]);
    await Promise.all([catcher.stop(), mails.stop()]);
  });

  test('a payee hears of it, opens their wallet, withdraws, and is paid once', async () => {
    const client = await newClient({ testMode: false, name: 'Brass & Sons', webhookUrl: catcher.url });
    const email = `${randomUUID()}@example.org`;
    await service.sandbox.does(RAIL, 'register', { email });
    const payee = await client.payee({ email, country: 'DE' });
    await push(client, [owedRow(payee.id, { amountCents: 12_345, currency: 'EUR' })], { sendEmail: true });

    const page = await (await contextOf(browser, PEOPLE[0] as Person)).newPage();
    await page.goto(here(linkIn(await mails.mailTo(email, WAITING_LINK), WAITING_LINK)));
    expect(await page.textContent('main')).not.toContain('123.45');
    await page.click('text=Send me the link');
    await page.goto(here(linkIn(await mails.mailTo(email, OPENING), OPENING)));
    await page.click('text=Continue');
    await page.waitForURL(/\/portal$/);
    expect(await page.textContent('main')).toContain('€123.45');
    await page.getByRole('link', { name: 'Withdraw', exact: true }).click();
    await page.waitForURL(/\/portal\/withdraw$/);
    expect(await page.textContent('main')).toContain(`${email}Sent through PayPal.`);
    await page.getByRole('button', { name: 'Withdraw now' }).dblclick();
    await page.waitForURL(/withdrawn=all|\/withdraw/);

    const isPaid = ({ payeeId, status }: Json): boolean => payeeId === payee.id && status === 'paid';
    const { json } = await catcher.waitFor(({ json: event }) => isPaid(event as Json));
    expect(json).toMatchObject({ provider: RAIL, amountCents: 12_345, currency: 'EUR' });
    const { payments } = await service.sandbox.books(RAIL);
    const theirs = (payments as Json[]).filter(({ receiver }) => receiver === email);
    expect(theirs).toMatchObject([{ units: 12_345, currency: 'EUR', status: 'SUCCESS' }]);
    await page.goto(here('/portal'));
    expect(await page.textContent('main')).toContain('Sent to you');
  });

  test('a payee hears of a reward, goes on to it from their wallet, takes it as they like, and may go back', async () => {
    const client = await newClient({ testMode: false, name: 'Brass & Sons', webhookUrl: catcher.url });
    const payee = await client.payee({ email: `${randomUUID()}@example.org`, country: 'ES' });
    const { id } = (await client.payout(payee.id, { amountCents: 12_345, currency: 'EUR' })).body;

    const page = await (await contextOf(browser, PEOPLE[0] as Person)).newPage();
    await page.goto(here(linkIn(await mails.mailTo(payee.email, PAYMENT), PAYMENT)));
    await page.click('text=Send me the link');
    await page.goto(here(linkIn(await mails.mailTo(payee.email, OPENING), OPENING)));
    await page.click('text=Continue');
    await page.waitForURL(/\/portal$/);
    await page.getByRole('link', { name: 'Claim it' }).click();
    expect([await complaintsOf(page), await overflowOf(page)]).toEqual([[], 0]);
    await page.getByRole('button', { name: 'Claim it' }).click();
    await page.waitForURL(/\/rewards\/payout\//);
    expect(await page.textContent('main')).toContain('123.45 EUR');
    await page.getByLabel('Gift card').check();
    await page.getByRole('button', { name: 'Redeem' }).click();
    await page.waitForSelector('text=Redeemed as Gift card');

    await catcher.waitFor(({ json }) => (json as Json).transactionId === id && (json as Json).status === 'paid');
    const { orders } = await service.sandbox.books(GIFTS);
    expect(orders).toMatchObject([
      { status: 'EXECUTED', reward: { hundredths: 12_345, redeemed: { as: 'Gift card' } } },
    ]);
    await page.goto(here('/portal'));
    await page.getByRole('link', { name: 'Not received? Open its page again' }).click();
    await page.getByRole('button', { name: 'Not received? Open its page again' }).click();
    await page.waitForSelector('text=Redeemed as Gift card');
  });
});

const linkIn = (mail: string, link: RegExp): string => link.exec(mail)?.[0] ?? '';
