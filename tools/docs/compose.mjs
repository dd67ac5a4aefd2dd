// docker/compose.yaml: written by hand, but for the settings of rails, each of which it hands on.
import { readFileSync } from 'node:fs';
import { gateway } from './compiled.mjs';

const FILE = new URL('../../docker/compose.yaml', import.meta.url);
const [BEGIN, END] = ['  # Of rails: npm run docs writes these lines.\n', '  # Up to here.\n'];

export function composeFile() {
  const text = readFileSync(FILE, 'utf8');
  const [before, rest = ''] = text.split(BEGIN);
  const [, after] = rest.split(END);
  if (after === undefined)
    throw new Error(`docker/compose.yaml has lost the line '${BEGIN.trim()}' or '${END.trim()}'.`);
  const settings = Object.values(gateway('rails')).flatMap((rail) => rail.settings.map(({ env }) => `  ${env}:\n`));
  return before + BEGIN + settings.join('') + END + after;
}
