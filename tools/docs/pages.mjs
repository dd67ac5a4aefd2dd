// The printed pages: each name, and what it says, in the form that Prettier leaves alone.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as prettier from 'prettier';
import { configurationPage } from './configuration.mjs';
import { errorsPage } from './errors.mjs';
import { openApiPage } from './openapi.mjs';
import { railsPage } from './rails.mjs';
import { reasonsPage } from './reasons.mjs';
import { statesPage } from './states.mjs';
import { vectorsPage } from './webhook-vectors.mjs';
import { webhooksPage } from './webhooks.mjs';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const PAGES = {
  'openapi.json': openApiPage,
  'configuration.md': configurationPage,
  'rails.md': railsPage,
  'states.md': statesPage,
  'reasons.md': reasonsPage,
  'errors.md': errorsPage,
  'webhooks.md': webhooksPage,
  'webhooks/vectors.json': vectorsPage,
};

export function pages() {
  return Promise.all(
    Object.entries(PAGES).map(async ([name, print]) => {
      const filepath = join(ROOT, 'docs', name);
      const style = await prettier.resolveConfig(filepath, { editorconfig: true });
      return { name, text: await prettier.format(await print(), { ...style, filepath, proseWrap: 'always' }) };
    }),
  );
}
