/** HTML from a template literal in which whatever is put in is escaped, unless it is such HTML itself. */
export class Html {
  constructor(readonly source: string) {}
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => ESCAPES[letter] as string);

function filledIn(value: string | Html | Html[]): string {
  if (Array.isArray(value)) return value.map(({ source }) => source).join('');
  return value instanceof Html ? value.source : escaped(value);
}

export function html(texts: TemplateStringsArray, ...values: (string | Html | Html[])[]): Html {
  return new Html(texts.reduce((source, text, index) => source + filledIn(values[index - 1] ?? '') + text));
}

const ENGLISH = { language: 'en', direction: 'ltr' };

/** A whole page that mail programs show alike: no pictures, nothing that is loaded from anywhere. */
export function page(title: string, body: Html, { language, direction } = ENGLISH): string {
  return html`<!doctype html>
    <html lang="${language}" dir="${direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
      </head>
      <body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif">
        <main style="max-width:36em;margin:0 auto">${body}</main>
      </body>
    </html> `.source;
}
