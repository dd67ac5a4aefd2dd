/** The frame of all pages, and how a page becomes text. The renderer escapes everything in braces. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Brand } from '#libs/clients';
import type { Words } from '#libs/payee-words';

const STYLE = readFileSync(join(__dirname, 'style.css'), 'utf8');

export interface PageFrame {
  words: Words;
  /** Only what carries it is applied and run. */
  nonce: string;
  /** The brand that its payee knows; empty on a page that belongs to nobody. */
  brand: Brand;
}

/** In the dark a lighter tone of the same colour, under dark text. The colour was checked when it was set. */
const accentOf = (color: string): string =>
  `:root{--accent:${color};--on-accent:#fff}@media(prefers-color-scheme:dark){:root{--accent:color-mix(in srgb,${color} 45%,#fff);--on-accent:#0b0d12}}`;

export function Layout({
  words,
  nonce,
  brand,
  title,
  children,
}: PageFrame & { title: string; children: ComponentChildren }) {
  return (
    <html lang={words.language} dir={words.direction}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="format-detection" content="telephone=no" />
        <title>{title}</title>
        <style nonce={nonce} dangerouslySetInnerHTML={{ __html: STYLE + (brand.color ? accentOf(brand.color) : '') }} />
      </head>
      <body>
        <main>
          {brand.logo && <img class="logo" src={brand.logo} alt="" referrerpolicy="no-referrer" />}
          {children}
          {brand.supportEmail && (
            <p class="help">
              <a href={`mailto:${brand.supportEmail}`}>{words.say('help', { email: brand.supportEmail })}</a>
            </p>
          )}
        </main>
      </body>
    </html>
  );
}

export const pageText = (page: VNode): string => `<!doctype html>${renderToString(page)}`;
