/** One of everything that opens a page for one payee, as whoever got hold of all of it would have it. */
import { randomUUID } from 'node:crypto';
import { type ApiClient, type Json } from './api';
import { browse, type Page } from './browse';
import { owedRow, push } from './owed';
import { Browser, linkIn, mailsTo, WAITING_LINK } from './wallet';

const RETURN = 'https://app.example/payouts';

/** Made by a client. Back from the rail. From the wallet. A mailed link into it. Of a payment. Of a mail about waiting money. */
export const PAGE_KEYS = ['onboarding', 'back', 'account', 'portal', 'claim', 'waiting', 'session'] as const;
export type PageKey = (typeof PAGE_KEYS)[number];

export interface HeldByPayee {
  payee: Json;
  /** That waits for an address of theirs. */
  payout: Json;
  keys: Record<PageKey, string>;
  browser: Browser;
  /** Of the forms in that browser. */
  form: string;
}

/** `client` is in test mode, and has a webhook URL on the host of `returnUrl`. */
export async function heldBy(client: ApiClient, returnUrl = RETURN): Promise<HeldByPayee> {
  const created = await client.payee({ email: `${randomUUID()}@example.com` });
  const onboarding = await onboardingLink(client, created, returnUrl);
  const back = locationOf(await browse(onboarding, 'POST')).replace(/\/test$/, '');
  const payee = (await client.post(`/test/payees/${created.id}/onboarding`, { outcome: 'verified' })).body;
  const payout = (await client.payout(payee.id, { reason: 'mock:swap' })).body;
  const [claimMail] = await mailsTo(payee.email, 1);
  await push(client, [owedRow(payee.id)], { sendEmail: true });
  const waiting = (await mailsTo(payee.email, 2)).find(({ kind }) => kind === 'money_waiting');
  const links = await portalLinks(client, payee);
  const browser = new Browser();
  await browser.open(links[0] as string);
  const wallet = await browser.get('/portal');
  const account = locationOf(await browser.press(wallet, '/portal/account'));
  const form = await browser.form();
  const keys = {
    ...{ onboarding: endOf(onboarding), back: endOf(back), account: endOf(account), portal: endOf(links[1] as string) },
    ...{ claim: endOf(linkOf(claimMail, CLAIM)), waiting: endOf(linkOf(waiting, WAITING_LINK)) },
    session: browser.cookie.split('=')[1] ?? '',
  };
  for (const [name, key] of Object.entries(keys))
    if (key.length < 43) throw new Error(`There is no ${name}: '${key}'.`);
  return { payee, payout, keys, browser, form };
}

const CLAIM = /https?:\/\/\S+\/claim\/[\w-]{64}/;
const linkOf = (mail: Json, link: RegExp): string => link.exec(mail?.text)?.[0] ?? '';
const locationOf = ({ headers }: Page): string => headers.get('location') ?? '';

async function onboardingLink(client: ApiClient, { id }: Json, returnUrl: string): Promise<string> {
  return (await client.post(`/payees/${id}/onboarding-link`, { returnUrl })).body.url;
}

/** Two of them; both work. */
async function portalLinks(client: ApiClient, payee: Json): Promise<string[]> {
  for (let times = 0; times < 2; times += 1) await client.post(`/payees/${payee.id}/portal-link`, {});
  const mails = (await mailsTo(payee.email, 4)).filter(({ kind }) => kind === 'portal_link');
  return mails.map(linkIn);
}

const endOf = (link: string): string => link.split('/').at(-1) ?? '';
