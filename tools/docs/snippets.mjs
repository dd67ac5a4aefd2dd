// Code in a page that is written by hand: taken from files that tests run, whole or a part of them between two marks.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const LANGUAGES = { ts: 'ts', mts: 'ts', py: 'python' };
const END = '<!-- What follows is written by hand. -->';
const PLACE =
  /(<!-- Printed from ([^\s#]+)(?:#([\w-]+))? by `npm run docs`\. Change that, and run it again\. -->)[^]*?<!-- What follows is written by hand\. -->/g;

/** The page with every place filled anew; `sources` are those it must have a place for. */
export function withSnippets(name, sources) {
  const page = readFileSync(join(ROOT, name), 'utf8');
  const filled = new Set();
  const text = page.replaceAll(PLACE, (_, begin, source, part) => {
    filled.add(source);
    return `${begin}\n\n\`\`\`${LANGUAGES[source.split('.').at(-1)]}\n${codeOf(source, part)}\`\`\`\n\n${END}`;
  });
  const lost = sources.filter((source) => !filled.has(source));
  if (lost.length > 0)
    throw new Error(`${name} has lost its place for ${lost.join(', ')}: <!-- Printed from … --> … ${END}.`);
  return text;
}

/** A part stands between `#region name` and `#endregion`, and loses the indentation of its first line. */
function codeOf(source, part) {
  const text = readFileSync(join(ROOT, source), 'utf8');
  if (!part) return text;
  const lines = text.split('\n');
  const from = lines.findIndex((line) => line.trim().endsWith(`#region ${part}`));
  const to = lines.findIndex((line, index) => index > from && line.trim().endsWith('#endregion'));
  if (from < 0 || to < 0) throw new Error(`${source} has no part #region ${part} … #endregion.`);
  const chosen = lines.slice(from + 1, to);
  const [indentation = ''] = /^\s*/.exec(chosen[0] ?? '') ?? [];
  return chosen.map((line) => `${line.startsWith(indentation) ? line.slice(indentation.length) : line}\n`).join('');
}
