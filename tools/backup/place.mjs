// Which database a backup is made of, or restored to: the one that the service would use with the same settings.
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { ensureBuilt } from '../build.mjs';
import { ensureInstalled } from '../install.mjs';
import { keysHere } from './facts.mjs';

export function here({ env } = process) {
  const dataDir = resolve(env.DATA_DIR || '.data');
  const kind = env.DATABASE_URL ? 'own' : 'embedded';
  return { kind, databaseUrl: env.DATABASE_URL, dataDir, deployment: env.DEPLOYMENT ?? '', ...keysHere(dataDir, env) };
}

/** The library of the embedded database, built if it was not. An image without sources has none, and uses its own database. */
export function embedded() {
  ensureInstalled();
  ensureBuilt();
  return createRequire(import.meta.url)('../../dist/libs/embedded-postgres/src/index.js');
}

export function fileOf(words, command) {
  const [file, ...rest] = words;
  if (!file || rest.length > 0 || file.startsWith('-'))
    throw new Error(`npm run ${command} takes the path of a file: npm run ${command} -- <file>`);
  return resolve(file);
}
