/** A person's browser: a phone or a desk, light or dark, in their language, perhaps with scripts off. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { underTest } from './api';

export interface Person {
  language: string;
  colorScheme: 'light' | 'dark';
  isPhone: boolean;
  javaScriptEnabled?: boolean;
}

export const PEOPLE: Person[] = [
  { language: 'en', colorScheme: 'light', isPhone: true },
  { language: 'ar', colorScheme: 'dark', isPhone: true },
  { language: 'de', colorScheme: 'light', isPhone: false },
  { language: 'ja', colorScheme: 'dark', isPhone: false },
];
export const nameOf = ({ language, colorScheme, isPhone }: Person): string =>
  `${isPhone ? 'phone' : 'desk'}-${colorScheme}-${language}`;

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 800 };

export const startChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.TEST_CHROMIUM,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  });

export async function contextOf(browser: Browser, person: Person): Promise<BrowserContext> {
  const { language: locale, isPhone, colorScheme, javaScriptEnabled = true } = person;
  return browser.newContext({ locale, colorScheme, javaScriptEnabled, viewport: isPhone ? PHONE : DESK });
}

/** Cookies of ours are for secure places only, and a browser takes this name for one. */
export function here(link: string): string {
  const { pathname, search } = new URL(link, 'http://here');
  return `http://localhost:${new URL(underTest().urls[0] as string).port}${pathname}${search}`;
}

/** What axe-core finds, a line each. */
export async function complaintsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found: { id: string; nodes: { html: string }[] }[] = await page.evaluate(
    'axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) })))',
  );
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** Wider than the screen is what nobody can read with one hand. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** What the Tab key reaches, in order. */
export async function reachedByTab(page: Page): Promise<string[]> {
  const count: number = await page.evaluate(
    "document.querySelectorAll('a[href],button,input:not([type=hidden])').length",
  );
  const reached: string[] = [];
  for (let press = 0; press < count; press += 1) {
    await page.keyboard.press('Tab');
    reached.push(await page.evaluate('document.activeElement.outerHTML'));
  }
  return reached;
}

/** What every form of the wallet carries that is open there. */
export async function formOn(page: Page): Promise<string> {
  const action = await page.getAttribute('form[action^="/portal/leave"]', 'action');
  return new URL(action ?? '', 'http://here').searchParams.get('form') ?? '';
}

/** For whoever wants to look at the pages: `npm run screenshots`. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
