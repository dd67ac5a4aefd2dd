/** A payee's browser: it has opened the mailed link, keeps the cookie, and uses the forms of the pages it was shown. */
import { type ApiClient, eventually, type Json, send, underTest } from './api';
import { browse, type Page } from './browse';

export async function mailsTo(address: string, count: number): Promise<Json[]> {
  const read = async (): Promise<Json[]> => {
    const { body } = await send(`${underTest().urls[0]}/dev/mailbox`, 'GET', { accept: 'application/json' });
    return body.data.filter((mail: Json) => mail.to === address);
  };
  return eventually(read, (mails) => mails.length >= count && mails.every(({ status }) => status === 'kept'));
}

export const linkIn = (mail: Json): string => /https?:\/\/\S+\/portal\/open\/[\w-]{43}/.exec(mail.text)?.[0] ?? '';

/** In a mail about waiting money: whoever clicks there has one of those mailed. */
export const WAITING_LINK = /https?:\/\/\S+\/wallet\/[\w-]{94}/;

/** The link of the newest mail to a payee, asked for just now. */
export async function mailedLink(client: ApiClient, payee: Json, count = 1): Promise<string> {
  const { status, body } = await client.post(`/payees/${payee.id}/portal-link`, {});
  if (status !== 200) throw new Error(`No link: ${JSON.stringify(body)}`);
  const [newest] = await mailsTo(payee.email, count);
  return linkIn(newest);
}

export class Browser {
  cookie = '';
  /** It stays for as long as its session. */
  private formOfCookie: { cookie: string; form: string } | null = null;

  async open(link: string): Promise<Page> {
    const page = await browse(link, 'POST', 'en', this.headers());
    const kept = /^(__Host-wallet=[^;]+)/.exec(page.headers.get('set-cookie') ?? '');
    if (kept) this.cookie = kept[1] as string;
    return page;
  }

  get(path: string, language = 'en'): Promise<Page> {
    return browse(path, 'GET', language, this.headers());
  }

  post(path: string, more: Record<string, string> = {}): Promise<Page> {
    return browse(path, 'POST', 'en', { ...this.headers(), ...more });
  }

  /** Presses the button of a page that leads there. */
  async press(page: Page, path: string, more: Record<string, string> = {}): Promise<Page> {
    return this.post(formOf(page, path), more);
  }

  /** What every form of this browser carries. */
  async form(): Promise<string> {
    if (this.formOfCookie?.cookie !== this.cookie) {
      const action = formOf(await this.get('/portal'), '/portal/leave');
      const form = new URL(action, 'http://here').searchParams.get('form') ?? '';
      this.formOfCookie = { cookie: this.cookie, form };
    }
    return this.formOfCookie.form;
  }

  private headers(): Record<string, string> {
    return this.cookie === '' ? {} : { cookie: `other=1; ${this.cookie}` };
  }
}

export function formOf({ text }: Page, path: string): string {
  const action = [...text.matchAll(/action="([^"]+)"/g)]
    .map(([, to = '']) => to.replaceAll('&amp;', '&'))
    .find((to) => to.startsWith(path));
  if (!action) throw new Error(`The page has no form to ${path}:\n${text}`);
  return action;
}

/** `mails`: how many they have by then, this one too. */
export async function walletOf(client: ApiClient, payee: Json, mails = 1): Promise<Browser> {
  const browser = new Browser();
  await browser.open(await mailedLink(client, payee, mails));
  return browser;
}
