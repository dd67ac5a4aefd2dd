#!/usr/bin/env node
/**
 * The operator's command line: the same actions as /operator/v1, in words. Plain tables for people, --json for machines.
 * GATEWAY_URL says where the service is, OPERATOR_TOKEN who asks (default: the token that development keeps under DATA_DIR).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const CLIENT_OPTIONS = {
  name: { type: 'string' },
  test: { type: 'boolean' },
  status: { type: 'string' },
  'status-version': { type: 'string' },
  scopes: { type: 'string' },
  'webhook-url': { type: 'string' },
  events: { type: 'string' },
  rails: { type: 'string' },
  prepaid: { type: 'boolean' },
  currency: { type: 'string' },
  'rate-limit': { type: 'string' },
  'require-v2': { type: 'boolean' },
};

const COMMANDS = {
  'clients create': { options: CLIENT_OPTIONS, run: (_, o) => call('POST', '/clients', clientBody(o)) },
  'clients list': { run: () => all('/clients') },
  'clients show': { args: ['client'], run: ([id]) => call('GET', `/clients/${id}`) },
  'clients update': {
    args: ['client'],
    options: CLIENT_OPTIONS,
    run: ([id], o) => call('PATCH', `/clients/${id}`, clientBody(o)),
  },
  'clients suspend': { args: ['client'], run: ([id]) => call('PATCH', `/clients/${id}`, { status: 'suspended' }) },
  'clients resume': { args: ['client'], run: ([id]) => call('PATCH', `/clients/${id}`, { status: 'active' }) },
  'keys rotate': {
    args: ['client'],
    options: { overlap: { type: 'string' } },
    run: ([id], o) => call('POST', `/clients/${id}/keys`, overlap(o)),
  },
  'keys revoke': { args: ['client', 'key'], run: ([id, key]) => call('DELETE', `/clients/${id}/keys/${key}`) },
  'keys rewrap': { run: () => call('POST', '/master-key/rewrap') },
  'secrets rotate': {
    args: ['client'],
    options: { overlap: { type: 'string' } },
    run: ([id], o) => call('POST', `/clients/${id}/signing-secret`, overlap(o)),
  },
  'operators list': { run: () => all('/operators') },
  'operators create': {
    options: { name: { type: 'string' }, role: { type: 'string' } },
    run: (_, { name, role }) => call('POST', '/operators', { name, role }),
  },
  'operators revoke': { args: ['operator'], run: ([id]) => call('DELETE', `/operators/${id}`) },
  audit: {
    options: { client: { type: 'string' } },
    run: (_, { client }) => all(client ? `/audit?clientId=${client}` : '/audit'),
  },
};

class UsageError extends Error {}

async function main() {
  const words = process.argv.slice(2);
  const name = [words.slice(0, 2).join(' '), words[0]].find((candidate) => candidate && candidate in COMMANDS);
  if (!name)
    throw new UsageError(
      words.length === 0 || words.includes('--help') ? '' : `There is no command '${words.slice(0, 2).join(' ')}'.`,
    );
  const command = COMMANDS[name];
  const { values, positionals } = parse(words.slice(name.split(' ').length), command.options ?? {});
  const wanted = command.args ?? [];
  if (positionals.length !== wanted.length)
    throw new UsageError(`gw ${name} takes ${wanted.map((arg) => `<${arg}>`).join(' ') || 'no argument'}.`);
  const answer = await command.run(positionals.map(encodeURIComponent), values);
  console.log(values.json ? JSON.stringify(answer, null, 2) : forPeople(answer));
}

function parse(args, options) {
  try {
    return parseArgs({ args, options: { ...options, json: { type: 'boolean' } }, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error.message);
  }
}

function clientBody(options) {
  const list = (text) => (text === undefined ? undefined : text.split(',').filter(Boolean));
  const number = (text) => (text === undefined ? undefined : Number(text));
  return {
    name: options.name,
    testMode: options.test,
    status: options.status,
    statusVersion: number(options['status-version']),
    scopes: list(options.scopes),
    webhookUrl: options['webhook-url'],
    eventTypes: list(options.events),
    railAllowList: list(options.rails),
    prepaid: options.prepaid,
    defaultCurrency: options.currency,
    rateLimitPerMinute: number(options['rate-limit']),
    requireSignatureV2: options['require-v2'],
  };
}

const overlap = ({ overlap: seconds }) => ({ overlapSeconds: seconds === undefined ? 0 : Number(seconds) });

/** Follows a list to its end. */
async function all(path) {
  const rows = [];
  let cursor = null;
  do {
    const page = await call(
      'GET',
      cursor ? `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}` : path,
    );
    rows.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor);
  return rows;
}

async function call(method, path, body) {
  const url = (
    process.env.GATEWAY_URL ||
    process.env.PUBLIC_URL ||
    `http://localhost:${process.env.PORT || 3000}`
  ).replace(/\/+$/, '');
  const headers = { authorization: `Bearer ${token()}`, ...(body ? { 'content-type': 'application/json' } : {}) };
  const request = fetch(`${url}/operator/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
  const response = await request.catch(() => {
    throw new Error(`Nothing answers at ${url}. Start the service with npm start, or set GATEWAY_URL.`);
  });
  const answer = await response.json();
  if (response.ok) return answer;
  const fields = (answer.details?.fields ?? []).map((field) => `\n  ${field.path} ${field.message}`).join('');
  throw new Error(`${answer.error}: ${answer.message ?? ''}${fields}`);
}

function token() {
  if (process.env.OPERATOR_TOKEN) return process.env.OPERATOR_TOKEN;
  const file = join(process.env.DATA_DIR || '.data', 'operator.token');
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new Error(`Set OPERATOR_TOKEN, or run this where ${file} is.`);
  }
}

function forPeople(answer) {
  if (Array.isArray(answer)) return answer.length === 0 ? 'none' : table(answer);
  return lines(answer).join('\n');
}

/** The columns a person looks for; --json has them all. */
function table(rows) {
  const columns = [
    'id',
    'name',
    'actor',
    'action',
    'role',
    'status',
    'testMode',
    'clientId',
    'target',
    'createdAt',
  ].filter((column) => rows.some((row) => row[column] !== undefined));
  const cells = [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '-')))];
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => row[index].length)));
  return cells
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function lines(value, indent = '') {
  return Object.entries(value).flatMap(([key, item]) =>
    item !== null && typeof item === 'object' && !Array.isArray(item)
      ? [`${indent}${key}`, ...lines(item, `${indent}  `)]
      : [
          `${indent}${key.padEnd(22 - indent.length)} ${Array.isArray(item) ? item.map((part) => (typeof part === 'object' ? JSON.stringify(part) : part)).join(', ') || '-' : (item ?? '-')}`,
        ],
  );
}

function usage() {
  const names = Object.entries(COMMANDS).map(([name, { args = [], options = {} }]) => {
    const flags = Object.entries(options).map(([flag, { type }]) => `[--${flag}${type === 'string' ? ' …' : ''}]`);
    return `  gw ${[name, ...args.map((arg) => `<${arg}>`), ...flags].join(' ')}`;
  });
  return `Usage (every command takes --json):\n${names.join('\n')}`;
}

main().catch((error) => {
  if (error instanceof UsageError) console.error([error.message, usage()].filter(Boolean).join('\n\n'));
  else console.error(`gw: ${error.message}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
