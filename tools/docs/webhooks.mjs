// docs/webhooks.md: written by hand, but for the verifier in it, which is the file that the tests run.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DOCS = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'docs');
const SOURCE = 'webhooks/verify/verify.ts';
const BEGIN = `<!-- Printed from docs/${SOURCE} by \`npm run docs\`. Change that, and run it again. -->`;
const END = '<!-- What follows is written by hand. -->';

export function webhooksPage() {
  const page = readFileSync(join(DOCS, 'webhooks.md'), 'utf8');
  const [before, printed, ...others] = page.split(BEGIN);
  const [, after] = printed?.split(END) ?? [];
  if (after === undefined || others.length > 0)
    throw new Error(`docs/webhooks.md has lost its place for ${SOURCE}: ${BEGIN} … ${END}, once.`);
  return [before, BEGIN, '\n\n```ts\n', readFileSync(join(DOCS, SOURCE), 'utf8'), '```\n\n', END, after].join('');
}
