/**
 * The browsable page at /docs: the callers' routes, and at /docs/operators those of operators. A web component shows the reference;
 * the page's own script signs what is tried out.
 */
import { signBeforeSending } from './api-reference.try-it-out';

export type Reader = 'callers' | 'operators';

/** The script that the page loads beside the reference itself. */
export const EXPLORER = 'openapi-explorer.min.js';
export const PAGE_SCRIPT = 'page.js';
export const PAGE_STYLE = 'page.css';

const TITLES: Record<Reader, string> = { callers: 'API reference', operators: 'API reference for operators' };
const PLACES: Record<Reader, string> = { callers: '/docs', operators: '/docs/operators' };

export function referencePage(reader: Reader, showsOperators: boolean): string {
  const others = showsOperators ? (['callers', 'operators'] as const) : [];
  const links = others
    .map((one) => `<a href="${PLACES[one]}"${one === reader ? ' aria-current="page"' : ''}>${TITLES[one]}</a>`)
    .join('');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Payout Gateway: ${TITLES[reader]}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/${PAGE_STYLE}">
<script src="/docs/${PAGE_SCRIPT}"></script>
<script src="/docs/${EXPLORER}" defer></script>
</head>
<body>
<nav>${links}</nav>
<openapi-explorer spec-url="/docs/${reader}.json" collapse="true" hide-server-selection="true" hide-components="true"
 primary-color="#1f5eff" secondary-color="#0b7a43" bg-color="#ffffff" text-color="#16181d" nav-bg-color="#f5f6f8"
 nav-text-color="#16181d" nav-hover-bg-color="#dfe2e8" nav-hover-text-color="#16181d"></openapi-explorer>
</body>
</html>
`;
}

export const pageStyle = `body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; }
nav { display: flex; flex-wrap: wrap; gap: 1.5rem; padding: 0.75rem 1rem; background: #16181d; }
nav:empty { display: none; }
nav a { color: #f0f2f5; }
nav a[aria-current] { font-weight: 600; text-decoration: none; }
openapi-explorer { display: block; }
`;

/** Before the component comes: what it sends goes through here. */
export const pageScript = `const sign = ${signBeforeSending.toString()};
const send = window.fetch.bind(window);
window.fetch = async (input, init) => {
  const request = new Request(input, init);
  const headers = new Headers(request.headers);
  const { method, url } = request;
  const signed = await sign({ method, url, body: await request.clone().text(), headers: Object.fromEntries(headers) });
  for (const [name, value] of Object.entries(signed.headers)) headers.set(name, value);
  return send(new Request(request, { headers }));
};
`;
