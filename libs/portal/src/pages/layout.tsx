/** What all pages have in common, and how one becomes text. What stands in braces is escaped by the renderer. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Words } from '../words';

const STYLE = readFileSync(join(__dirname, 'style.css'), 'utf8');

export interface PageFrame {
  words: Words;
  /** Only what carries it is applied and run. */
  nonce: string;
}

export function Layout({ words, nonce, title, children }: PageFrame & { title: string; children: ComponentChildren }) {
  return (
    <html lang={words.language} dir={words.direction}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        <style nonce={nonce} dangerouslySetInnerHTML={{ __html: STYLE }} />
      </head>
      <body>
        <main>{children}</main>
      </body>
    </html>
  );
}

export const pageText = (page: VNode): string => `<!doctype html>${renderToString(page)}`;
