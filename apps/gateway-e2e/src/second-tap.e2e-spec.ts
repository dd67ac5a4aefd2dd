/** On a slow network one taps again before anything came: the browser drops the first answer, with the wallet that it opened. */
import { randomUUID } from 'node:crypto';
import { type ApiClient, type Json, newClient } from './harness/api';
import { browse, type Page } from './harness/browse';
import { Browser, formOf, mailedLink } from './harness/wallet';

const cookieOf = ({ headers }: Page): string => /^__Host-wallet=[^;]+/.exec(headers.get('set-cookie') ?? '')?.[0] ?? '';

describe('the button of the page behind a mailed link', () => {
  let client: ApiClient;
  let payee: Json;
  let link: string;
  let button: string;
  beforeEach(async () => {
    client = await newClient();
    payee = await client.payablePayee({ email: `${randomUUID()}@example.com` });
    link = await mailedLink(client, payee);
    button = await lookedAt();
  });
  const lookedAt = async (): Promise<string> => formOf(await browse(link), new URL(link).pathname);
  /** By a browser that knows nothing of the tap before. */
  const tap = (to = button): Promise<Page> => browse(to, 'POST');
  const opensWallet = async (cookie: string): Promise<number> =>
    (await browse('/portal', 'GET', 'en', { cookie })).status;

  test('pressed again opens the same wallet for the same browser, in whatever order the answers come', async () => {
    const taps = await Promise.all([tap(), tap(), tap()]);
    taps.push(await tap());
    expect(taps.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
    const [cookie = '', ...others] = new Set(taps.map(cookieOf));
    expect(others).toEqual([]);
    expect(await opensWallet(cookie)).toBe(200);
  });

  test('opens it once for all others, be it that they looked before it was used', async () => {
    const others = await Promise.all([lookedAt(), lookedAt()]);
    expect(new Set([button, ...others]).size).toBe(3);
    const taps = await Promise.all([button, ...others].map((to) => tap(to)));
    expect(taps.map(({ status }) => status).sort()).toEqual([303, 404, 404]);
    const used = [button, ...others][taps.findIndex(({ status }) => status === 303)] ?? '';
    const end = used.endsWith('A') ? 'B' : 'A';
    for (const to of [link, `${used.slice(0, -1)}${end}`, `${link}?tap=`, `${link}?tap=x`, `${used}&tap=x`])
      expect([(await tap(to)).status, cookieOf(await tap(to))]).toEqual([404, '']);
    expect((await browse(link)).status).toBe(404);
    expect((await browse(used)).status).toBe(404);
  });

  test('opens nothing again half a minute later, for whoever finds its address', async () => {
    const cookie = cookieOf(await tap());
    await client.post('/test/clock', { advanceSeconds: 31 });
    expect((await tap()).status).toBe(404);
    expect(await opensWallet(cookie)).toBe(200);
  });

  test('opens nothing again once somebody left', async () => {
    const browser = new Browser();
    await browser.open(button);
    await browser.press(await browser.get('/portal'), '/portal/leave');
    expect([(await tap()).status, (await browser.open(button)).status]).toEqual([404, 404]);
  });

  test('opens nothing again for who reads the mailbox that the payee had before', async () => {
    await tap();
    await client.post('/payees', { externalId: payee.externalId, email: `${randomUUID()}@example.com` });
    expect((await tap()).status).toBe(404);
  });

  test('pressed again makes an open wallet fresh, though the answer to the first tap was lost', async () => {
    const browser = new Browser();
    await browser.open(button);
    await client.post('/test/clock', { advanceSeconds: 3_601 });
    expect((await browser.get('/portal/withdraw')).status).toBe(403);
    link = await mailedLink(client, payee, 2);
    button = formOf(await browser.get(link), new URL(link).pathname);
    await browser.post(button); // its cookie is lost
    await browser.open(button);
    // There is nothing to withdraw, and no link is asked for.
    expect((await browser.get('/portal/withdraw')).status).toBe(409);
  });
});
