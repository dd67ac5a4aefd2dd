// What gw asks the service, and how it finds what a person calls by name.
import { callOperator, OPERATORS_PORT, SERVICE_FROM, SERVICE_URL, WHERE } from '../operator-surface.mjs';
import { harmless } from '../terminal.mjs';
import { UsageError } from './usage-error.mjs';

const PAGE = 100;
const ID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** What the port of callers says of everything that is served on another. */
const NOT_ON_THIS_PORT = /nothing at this path on this port/;
/** Where names are known, and the command that lists them. */
const NAMED = {
  client: { path: '/clients', list: 'gw clients list' },
  operator: { path: '/operators', list: 'gw operators list' },
};

export async function call(method, path, body) {
  const { status, body: answer } = await callOperator(method, path, body);
  if (status < 400) return answer;
  if (status === 401)
    throw new Error(
      `${answer.error}: the service at ${SERVICE_URL} (${SERVICE_FROM}) does not know this token. ` +
        `Set OPERATOR_TOKEN, or DATA_DIR, to what it was started with, or ask another one. ${WHERE}`,
    );
  const fields = (answer.details?.fields ?? [])
    .map((field) => `\n  ${harmless(`${field.path} ${field.message}`)}`)
    .join('');
  const elsewhere = status === 404 && NOT_ON_THIS_PORT.test(answer.message) ? ` ${OPERATORS_PORT}` : '';
  throw new Error(`${harmless(`${answer.error}: ${answer.message ?? ''}`)}${elsewhere}${fields}`);
}

/** Lists that there is more of: their rows have no place to say so. */
const CUT = new WeakSet();
export const isCut = (rows) => CUT.has(rows);
export function cut(rows) {
  CUT.add(rows);
  return rows;
}

/** Follows a list to its end, or until there are enough. `cursor` is the parameter that takes the next page. */
export async function list(path, query = {}, { enough = Infinity, cursor = 'cursor' } = {}) {
  const rows = [];
  let next = null;
  do {
    const wanted = { ...query, limit: Math.min(PAGE, enough - rows.length), [cursor]: next };
    const given = Object.entries(wanted).filter(([, value]) => value !== undefined && value !== null);
    const page = await call('GET', `${path}?${new URLSearchParams(given)}`);
    rows.push(...page.data);
    next = page.nextCursor;
  } while (next && rows.length < enough);
  return next ? cut(rows) : rows;
}

/** The id of what an argument names: itself if it is one, else that of the only client or operator so called. */
export async function idOf(kind, text, elsewhere = '') {
  if (ID.test(text)) return text;
  const named = NAMED[kind];
  if (!named) throw new UsageError([`'${text}' is not the id of a ${kind}.`, elsewhere].filter(Boolean).join(' '));
  const rows = await list(named.path);
  const found = rows.filter(({ name }) => name === text);
  if (found.length === 1) return found[0].id;
  if (found.length === 0) throw new Error(`No ${kind} is called '${text}'. See \`${named.list}\` for the ids.`);
  const which = found.map((row) => `\n  ${harmless(toldApart(row))}`).join('');
  throw new Error(`${found.length} ${kind}s are called '${text}'. Say which by its id:${which}`);
}

/** What tells those of one name apart. */
function toldApart({ id, createdAt, testMode, webhookUrl }) {
  const mode = testMode === undefined ? '' : `, ${testMode ? 'test mode' : 'live'}`;
  const host = webhookUrl && URL.canParse(webhookUrl) ? `, told at ${new URL(webhookUrl).host}` : '';
  return `${id}  made ${createdAt}${mode}${host}`;
}
