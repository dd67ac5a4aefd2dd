/** How a page goes out: kept nowhere, framed by nobody else, and with nothing on it that did not come from here. */
import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { LANGUAGE_NAMES, type Language, type Words, wordsIn } from '../words';
import type { PageFrame } from '../pages/layout';

/** Browsers send some dozens. Of 16 KiB to weigh all would take longer than everything else that a page costs. */
const LONGEST_WISH = 255;

export function wordsFor(request: Request): Words {
  const { headers } = request;
  const wish = headers['accept-language'];
  if (wish && wish.length > LONGEST_WISH) headers['accept-language'] = wish.slice(0, LONGEST_WISH);
  const wanted = request.acceptsLanguages(LANGUAGE_NAMES);
  return wordsIn(wanted ? (wanted as Language) : 'en');
}

interface Sent {
  status?: number;
  /** The one site that may frame the page. */
  frameOrigin?: string | null;
}

export function sendPage(
  request: Request,
  response: Response,
  page: (frame: PageFrame) => string,
  { status = 200, frameOrigin = null }: Sent = {},
): void {
  const nonce = randomBytes(16).toString('base64');
  response.setHeader('content-security-policy', policy(nonce, frameOrigin));
  if (frameOrigin === null) response.setHeader('x-frame-options', 'DENY');
  else response.removeHeader('x-frame-options');
  response.setHeader('cache-control', 'no-store');
  response.setHeader('referrer-policy', 'no-referrer');
  response.setHeader('vary', 'accept-language');
  const words = wordsFor(request);
  response.setHeader('content-language', words.language);
  response.status(status).type('html').send(page({ words, nonce }));
}

/**
 * Browsers hold form-action against where a form is redirected to as well, and the pages of a rail may be anywhere: so forms are
 * not limited by it. There is nothing on a page by which somebody else could add one.
 */
function policy(nonce: string, frameOrigin: string | null): string {
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    "base-uri 'none'",
    `frame-ancestors ${frameOrigin ?? "'none'"}`,
  ].join('; ');
}
