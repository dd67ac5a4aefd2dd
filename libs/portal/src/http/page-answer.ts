/** How a page goes out: kept nowhere, framed by nobody else, and with nothing on it that did not come from here. */
import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import type { RateLimit } from '#libs/domain';
import type { Brand } from '#libs/clients';
import { sayLimit } from '#libs/http-kit';
import { LANGUAGE_NAMES, languageOf, type Words, wordsIn } from '#libs/payee-words';
import type { PageFrame } from '../pages/layout';

/** The payee and client that a page is for. */
export interface Reader {
  payee: { locale: string | null };
  client: { locale: string | null; brand: Brand };
}

/** Browsers send some dozens. Of 16 KiB to weigh all would take longer than everything else that a page costs. */
const LONGEST_WISH = 255;

/** As the payee said, else as their browser does, else as their client says. */
export function wordsFor(request: Request, { payee, client }: Partial<Reader> = {}): Words {
  const { headers } = request;
  const wish = headers['accept-language'];
  if (wish && wish.length > LONGEST_WISH) headers['accept-language'] = wish.slice(0, LONGEST_WISH);
  const browser = request.acceptsLanguages(LANGUAGE_NAMES);
  return wordsIn(languageOf([payee?.locale, browser || null, client?.locale]));
}

interface Sent {
  status?: number;
  /** It was one too many: a 429, which says until when. */
  rateLimit?: RateLimit | null;
  /** The one site that may frame the page. */
  frameOrigin?: string | null;
  /** It asks now and then how it stands. */
  asksAgain?: boolean;
  /** Left out on pages of nobody. */
  reader?: Reader;
}

export function sendPage(
  request: Request,
  response: Response,
  page: (frame: PageFrame) => string,
  { status = 200, rateLimit = null, frameOrigin = null, asksAgain = false, reader }: Sent = {},
): void {
  const nonce = randomBytes(16).toString('base64');
  const brand = reader?.client.brand ?? {};
  response.setHeader('content-security-policy', policy(nonce, frameOrigin, asksAgain, brand));
  if (frameOrigin === null) response.setHeader('x-frame-options', 'DENY');
  else response.removeHeader('x-frame-options');
  response.setHeader('cache-control', 'no-store');
  response.setHeader('referrer-policy', 'no-referrer');
  response.setHeader('vary', 'accept-language');
  const words = wordsFor(request, reader);
  response.setHeader('content-language', words.language);
  if (rateLimit) sayLimit(request, rateLimit);
  response
    .status(rateLimit ? 429 : status)
    .type('html')
    .send(page({ words, nonce, brand }));
}

/**
 * Browsers hold form-action against where a form is redirected to as well, and the pages of a rail may be anywhere: so forms are
 * not limited by it. There is nothing on a page by which somebody else could add one.
 */
function policy(nonce: string, frameOrigin: string | null, asksAgain: boolean, { logo }: Brand): string {
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    ...(logo ? [`img-src ${new URL(logo).origin}`] : []),
    ...(asksAgain ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    `frame-ancestors ${frameOrigin ?? "'none'"}`,
  ].join('; ');
}

/** GET from then on, and nothing of where it came from is told there. */
export function redirect(response: Response, url: string): void {
  response.setHeader('cache-control', 'no-store');
  response.setHeader('referrer-policy', 'no-referrer');
  response.redirect(303, url);
}
