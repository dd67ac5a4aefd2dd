// Answers for people: tables for lists, lines for one thing. What is shown only once stands last, and stands out.
import { bold, harmless, yellow } from '../terminal.mjs';

const ONCE = { apiKey: 'API key', signingSecret: 'signing secret', token: 'token' };
/** The columns of lists inside an answer. */
const INNER = {
  keys: ['id', 'hint', 'createdAt', 'expiresAt', 'revokedAt'],
  jobs: ['name', 'runAt', 'attempts', 'taken', 'lastError'],
  events: ['createdAt', 'type', 'fromStatus', 'toStatus', 'statusReason', 'actor'],
};
const NAME_WIDTH = 22;

export function forPeople(answer, { columns, note, none }) {
  if (Array.isArray(answer) && answer.length === 0) return none ? `none\n\n${none}` : 'none';
  if (Array.isArray(answer)) return table(answer, columns).join('\n');
  const secrets = Object.entries(answer).filter(([key]) => key in ONCE);
  const others = Object.fromEntries(Object.entries(answer).filter(([key]) => !(key in ONCE)));
  const said = note?.(answer);
  return [...lines(others), ...(said ? ['', yellow(harmless(said, { lines: true }))] : []), ...shownOnce(secrets)].join(
    '\n',
  );
}

function shownOnce(secrets) {
  if (secrets.length === 0) return [];
  const rows = secrets.map(([key, value]) => `  ${ONCE[key].padEnd(NAME_WIDTH - 2)} ${bold(harmless(value))}`);
  return ['', ...rows, '', yellow('Shown only this once: keep it now.')];
}

function lines(value, width = NAME_WIDTH) {
  return Object.entries(value).flatMap(([named, item]) => {
    const key = harmless(named);
    if (item === null || typeof item !== 'object' || isFlat(item)) return [`${key.padEnd(width)} ${cell(item)}`];
    const inner = Array.isArray(item) ? table(item, INNER[key] ?? Object.keys(item[0])) : lines(item, width - 2);
    return [key, ...inner.map((line) => `  ${line}`)];
  });
}

/** Fits behind its name on one line. */
function isFlat(item) {
  const parts = Object.values(item);
  return parts.length === 0 || (Array.isArray(item) && parts.every((part) => typeof part !== 'object'));
}

function table(rows, columns) {
  const cells = [columns.map(cell), ...rows.map((row) => columns.map((column) => cell(row[column])))];
  // Not all as arguments of one call: there may be more than a call takes.
  const widths = columns.map((_, index) => cells.reduce((most, row) => Math.max(most, row[index].length), 0));
  const line = (row) => row.map((text, index) => text.padEnd(widths[index])).join('  ');
  return cells.map((row) => line(row).trimEnd());
}

function cell(value) {
  if (value === null || value === undefined) return '-';
  if (typeof value !== 'object') return harmless(value) || '-';
  const parts = Array.isArray(value) ? value.map(cell) : Object.values(value).map(cell);
  return parts.join(Array.isArray(value) ? ', ' : ' ') || '-';
}
