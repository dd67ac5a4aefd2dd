/** A payee says in their wallet where the money of a payout goes: entered, checked, shown in full, and sent by a second click. */
import { type ApiClient, eventually, HANGS_MS, type Json, send, underTest } from './api';
import type { Page } from './browse';
import { Browser, linkIn } from './wallet';

/** By the newest link that was mailed to them, whatever else was. */
export async function walletOpenedBy(client: ApiClient, { id, email }: Json): Promise<Browser> {
  const { status, body } = await client.post(`/payees/${id}/portal-link`, {});
  if (status !== 200) throw new Error(`No link: ${JSON.stringify(body)}`);
  const [newest] = await eventually(
    async () => {
      const mailbox = await send(`${underTest().urls[0]}/dev/mailbox`, 'GET', { accept: 'application/json' });
      return (mailbox.body.data as Json[]).filter((mail) => mail.to === email && linkIn(mail) !== '');
    },
    (mails) => mails.length > 0,
  );
  const browser = new Browser();
  await browser.open(linkIn(newest));
  return browser;
}

const pageOf = (payoutId: string): string => `/portal/payments/${payoutId}`;

/** By the form of the page that asks for it. */
export const enter = async (browser: Browser, payoutId: string, address: string): Promise<Page> =>
  browser.get(`${pageOf(payoutId)}/check?to=${encodeURIComponent(address)}&form=${await browser.form()}`);

/** Whether the page asks for an address. */
export const asksFor = (browser: Browser, payoutId: string): Promise<boolean> =>
  browser.get(pageOf(payoutId)).then(({ status, text }) => status === 200 && text.includes('Where should it go?'));

export const confirm = (browser: Browser, payoutId: string, shown: Page): Promise<Page> =>
  browser.press(shown, `${pageOf(payoutId)}/send`);

/** As a person looks again: sixty pages a minute are shown to each payee, and no more. */
const tried = <T>(look: () => Promise<T>, done: (seen: T) => boolean): Promise<T> =>
  eventually(look, done, 2 * HANGS_MS, 2_000);

export const asksAtLast = (browser: Browser, payoutId: string): Promise<boolean> =>
  tried(
    () => asksFor(browser, payoutId),
    (asks) => asks,
  );

/** Their rail may have to be asked, and it may not be there: whoever wants their money tries again. */
export async function withdrawTo(browser: Browser, payoutId: string, address: string): Promise<void> {
  const shown = await tried(
    () => enter(browser, payoutId, address),
    ({ status, text }) => status === 200 && text.includes(address),
  );
  await tried(
    () => confirm(browser, payoutId, shown),
    ({ status }) => status === 200 || status === 303,
  );
}
