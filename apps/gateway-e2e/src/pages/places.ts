/** A link to each page that a payee may see, of payees who stand where the page is for. */
import { randomUUID } from 'node:crypto';
import { type ApiClient, eventually, type Json, newClient } from '../harness/api';
import { browse } from '../harness/browse';
import type { Person } from '../harness/chromium';
import { owe, owedRow, push } from '../harness/owed';
import { linkIn, mailsTo, WAITING_LINK, walletOf } from '../harness/wallet';

const RETURN = 'https://app.example/payouts';
const BRAND = { name: 'Brass & Sons', color: '#0b5d3b', supportEmail: 'help@brass.example' };

export interface Places {
  start: string;
  provider: string;
  rejected: string;
  checking: string;
  ready: string;
  gone: string;
  design: string;
  change: string;
  waiting: string;
  claimProvider: string;
  claimWallet: string;
  claimed: string;
  opening: string;
  wallet: string;
  withdraw: string;
  destination: string;
  refusedAddress: string;
  confirm: string;
}

export async function linksToPages({ language }: Pick<Person, 'language'>): Promise<Places> {
  const client = await newClient({ name: 'Brass & Sons', webhookUrl: 'https://app.example/hooks', brand: BRAND });
  const onboarding = await onboardingPages(client, language);
  const payee = await client.payablePayee({ email: `${randomUUID()}@example.com`, locale: language });
  const pay = async (reason: string): Promise<Json> => (await client.payout(payee.id, { reason })).body;
  await owe(client, payee.id, [123_456]);
  await owe(client, payee.id, [70_000], { currency: 'JPY' });
  await pay('mock:fail_permanent');
  const [claim, claimed, swap] = [await pay('mock:claim'), await pay('mock:claim'), await pay('mock:swap')];
  const links = await claimLinks(payee.email, 3);
  await client.post(`/test/payouts/${claimed.id}/claim`, {});
  const linkOf = async ({ id }: Json): Promise<string> => links.get(id) ?? '';
  await client.post(`/payees/${payee.id}/portal-link`, {});
  const mails = await mailsTo(payee.email, 4);
  const place = `/portal/payments/${swap.id}`;
  return {
    ...{
      ...onboarding,
      change: await changeOfAccount(client, language),
      waiting: await waitingMoney(client, language),
    },
    claimProvider: await linkOf(claim),
    claimWallet: await linkOf(swap),
    claimed: await linkOf(claimed),
    opening: linkIn(mails.find(({ kind }: Json) => kind === 'portal_link')),
    wallet: '/portal',
    withdraw: '/portal/withdraw',
    destination: place,
    refusedAddress: `${place}/check?to=nowhere`,
    confirm: `${place}/check?to=mock_0123456789abcdef0123456789abcdef01234567`,
  };
}

/** As their payee comes there from the wallet. */
async function changeOfAccount(client: ApiClient, locale: string): Promise<string> {
  const payee = await client.payablePayee({ email: `${randomUUID()}@example.com`, locale });
  const browser = await walletOf(client, payee);
  const asked = await browser.press(await browser.get('/portal'), '/portal/account');
  return asked.headers.get('location') ?? '';
}

async function waitingMoney(client: ApiClient, locale: string): Promise<string> {
  const payee = await client.payee({ email: `${randomUUID()}@example.com`, locale });
  await push(client, [owedRow(payee.id)], { sendEmail: true });
  const [mail] = await mailsTo(payee.email, 1);
  return WAITING_LINK.exec(mail.text)?.[0] ?? '';
}

/** By payout: the token of a link begins with its id. */
export async function claimLinks(address: string, count: number): Promise<Map<string, string>> {
  const mails = (await mailsTo(address, count)).filter(({ kind }) => kind === 'claim_link');
  return new Map(
    mails.map(({ text }) => {
      const [link = '', token = ''] = /https?:\/\/\S+\/claim\/([\w-]{64})/.exec(text) ?? [];
      const id = Buffer.from(token, 'base64url').subarray(0, 16).toString('hex');
      return [id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'), link];
    }),
  );
}

async function onboardingPages(client: ApiClient, locale: string): Promise<Pick<Places, OnboardingPlace>> {
  const linkTo = async (outcome?: string): Promise<string> => {
    const payee = await client.payee({ locale });
    if (outcome) await client.post(`/test/payees/${payee.id}/onboarding`, { outcome, reason: 'Blurred photo.' });
    const ask = async (): Promise<Json> =>
      (await client.post(`/payees/${payee.id}/onboarding-link`, { returnUrl: RETURN })).body;
    return (await eventually(ask, ({ url }) => typeof url === 'string')).url;
  };
  const start = await linkTo();
  const provider = (await browse(start, 'POST')).headers.get('location') ?? '';
  return {
    ...{ start, provider, gone: '/onboarding/nothing', design: '/dev/design' },
    ...{ rejected: await linkTo('rejected'), checking: await linkTo('pending'), ready: await linkTo('verified') },
  };
}

type OnboardingPlace = 'start' | 'provider' | 'rejected' | 'checking' | 'ready' | 'gone' | 'design';
