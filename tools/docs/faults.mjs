// docs/faults.md: what came of each fault on each call that moves money, as the crash suite saw it. Each of its runs is held against the
// page, and leaves what it saw of its rail in .tmp/faults: only what is newer there is printed, the rest stays as it stands.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { code, page, table } from './markdown.mjs';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const PAGE = join(ROOT, 'docs/faults.md');
const SEEN = join(ROOT, '.tmp/faults');

/** In the order in which they are printed: what is done and what is not, then what kills. */
const FAULTS = [
  ...['cut_before', 'cut_after', 'silence_before', 'silence_after', 'too_many', 'server_error', 'server_error_after'],
  ...['garbage', 'slow', 'kill -9'],
];

/** `fresh`: what was seen since the page was printed as well. */
export function faultsPage({ fresh }) {
  const columns = printed();
  if (fresh) for (const [rail, rows] of seen()) replace(columns, rail, rows);
  const titles = [...columns.keys()].sort();
  return page(
    'Faults',
    'what the crash suite saw of each rail',
    `What becomes of a payout when a call that moves its money meets a fault, through the shipped gateway, the rail's own adapter and its
     simulated provider: how it ended, and how often the money left, or came back, by the provider's books. A call is the first of a payout, one of
     its legs, or what leads its payee to it; what the faults do is in [rail-sandbox.md](rail-sandbox.md). Every run of \`npm test -- only crash/\`
     is held against this page.`,
    table(
      ['Fault', ...titles],
      FAULTS.map((fault) => [code(fault), ...titles.map((title) => columns.get(title).get(fault) ?? '')]),
    ),
  );
}

/** By column: what came of each fault. */
function printed() {
  if (!existsSync(PAGE)) return new Map();
  const [head = [], , ...lines] = readFileSync(PAGE, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const faultOf = ([fault]) => fault.replaceAll('`', '');
  return new Map(
    head.slice(1).map((title, place) => [title, new Map(lines.map((cells) => [faultOf(cells), cells[place + 1]]))]),
  );
}

function seen() {
  const files = existsSync(SEEN) ? readdirSync(SEEN).filter((name) => name.endsWith('.json')) : [];
  return files.map((name) => [name.replace('.json', ''), JSON.parse(readFileSync(join(SEEN, name), 'utf8'))]);
}

function replace(columns, rail, rows) {
  for (const title of columns.keys()) if (title.startsWith(`${code(rail)} `)) columns.delete(title);
  for (const { call, fault, came } of rows) {
    if (!FAULTS.includes(fault)) throw new Error(`docs/faults.md has no line for the fault '${fault}' of ${rail}.`);
    const title = `${code(rail)} ${call}`;
    columns.set(title, (columns.get(title) ?? new Map()).set(fault, came));
  }
}
