// The printed pages, and the clients' types: each file, and what it says, in the form that Prettier leaves alone.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as prettier from 'prettier';
import { composeFile } from './compose.mjs';
import { configurationPage } from './configuration.mjs';
import { pythonTypes } from './client-types/python.mjs';
import { typescriptTypes } from './client-types/typescript.mjs';
import { errorsPage } from './errors.mjs';
import { faultsPage } from './faults.mjs';
import { integratePage } from './integrate.mjs';
import { openApiPage, reference } from './openapi.mjs';
import { railsPage } from './rails.mjs';
import { reasonsPage } from './reasons.mjs';
import { statesPage } from './states.mjs';
import { vectorsPage } from './webhook-vectors.mjs';
import { webhooksPage } from './webhooks.mjs';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const PAGES = {
  'docs/openapi.json': openApiPage,
  'docs/configuration.md': configurationPage,
  'docs/rails.md': railsPage,
  'docs/faults.md': faultsPage,
  'docs/states.md': statesPage,
  'docs/reasons.md': reasonsPage,
  'docs/errors.md': errorsPage,
  'docs/webhooks.md': webhooksPage,
  'docs/webhooks/vectors.json': vectorsPage,
  'docs/integrate.md': integratePage,
  'docker/compose.yaml': composeFile,
  'libs/sdk/src/api-types.ts': async () => typescriptTypes(await reference()),
  'clients/python/src/payout_gateway/api_types.py': async () => pythonTypes(await reference()),
};

/** `fresh`: also what a run of the crash suite saw since. */
export function pages({ fresh }) {
  return Promise.all(
    Object.entries(PAGES).map(async ([name, print]) => ({
      name,
      text: await tidied(join(ROOT, name), await print({ fresh })),
    })),
  );
}

/** Prettier knows no Python, and would break lines of a file that is mostly written by hand. */
async function tidied(filepath, text) {
  const { inferredParser } = await prettier.getFileInfo(filepath);
  if (!inferredParser || inferredParser === 'yaml') return text;
  const style = await prettier.resolveConfig(filepath, { editorconfig: true });
  return prettier.format(text, { ...style, filepath, proseWrap: 'always' });
}
