// `npm run docs`: writes the pages of docs/ and the types of the clients that are printed from the code. No database is
// needed.
//   npm run docs                          writes them
//   npm run docs -- --check               fails, and names the pages that no longer say what the code does
//   npm run docs -- [--check] <folder>    the same in another folder, laid out as this one
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { runScript, say } from './terminal.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

await runScript(async () => {
  ensureInstalled();
  ensureBuilt();
  const { pages } = await import('./docs/pages.mjs'); // only now: it reads what was just built
  const { check, folder } = choiceOf(process.argv.slice(2));
  const drifted = (await pages({ fresh: !check })).filter(({ name, text }) => textOf(join(folder, name)) !== text);
  if (!check) return write(folder, drifted);
  if (drifted.length === 0) return say('The printed pages say what the code does.');
  const names = drifted.map(({ name }) => name).join(', ');
  throw new Error(
    `These pages no longer say what the code does: ${names}. Run npm run docs, and commit what it wrote.`,
  );
});

function choiceOf(words) {
  const [folder = ROOT, ...rest] = words.filter((word) => word !== '--check');
  if (rest.length > 0 || folder.startsWith('-')) throw new Error('npm run docs takes --check, and a folder, at most.');
  return { check: words.includes('--check'), folder };
}

function textOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

function write(folder, drifted) {
  for (const { name, text } of drifted) writeFileSync(join(folder, name), text);
  say(drifted.length === 0 ? 'Nothing to do.' : `Written: ${drifted.map(({ name }) => name).join(', ')}.`);
}
