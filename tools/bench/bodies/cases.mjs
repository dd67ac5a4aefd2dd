// Bodies of up to 1 MiB: those that cost the most to look at, and the largest that are in order.
import { randomUUID } from 'node:crypto';

const MOST = 1_048_576;

const list = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const record = (count, make) => Object.fromEntries(list(count, make));

/** `first` and `last`, and between them as many of `unit` as go into a body. */
const filled = (first, unit, last) =>
  first + unit.repeat(Math.floor((MOST - first.length - last.length) / unit.length)) + last;

function manyKeys(make) {
  const members = [];
  for (let bytes = 2, index = 0; bytes < MOST - 40; index += 1) {
    members.push(make(index));
    bytes += members.at(-1).length + 1;
  }
  return `{${members.join(',')}}`;
}

/** Texts for any route that takes a body. */
const TEXTS = {
  '95,000 unknown keys': manyKeys((index) => `"k${index.toString(36)}":1`),
  '1,000 unknown keys': JSON.stringify(record(1_000, (index) => [`k${index}`, 1])),
  'keys with escapes': manyKeys((index) => `"\\u0041${index.toString(36)}":1`),
  'one key again and again': manyKeys(() => '"k":1'),
  'a key of 1 MiB': filled('{"', 'k', '":1}'),
  'a list of numbers': filled('{"a":[1', ',1', ']}'),
  'a list of fractions': filled('{"a":[1', ',-1.0', ']}'),
  'a list of empty objects': filled('{"a":[{}', ',{}', ']}'),
  'lists in lists, 30 deep': filled('{"a":[1', `,${'['.repeat(30)}${']'.repeat(30)}`, ']}'),
  '500,000 deep': `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
  'only brackets': '{'.repeat(MOST),
  'only spaces': filled('{"a":', ' ', '1}'),
  'a number of 1 MiB': filled('{"a":', '9', '}'),
  'a fraction of 1 MiB': filled('{"a":0.', '9', '}'),
  'a text of 1 MiB': filled('{"externalId":"', 'x', '"}'),
  'an e-mail address of 1 MiB': filled('{"externalId":"a","email":"', 'a@a.', '"}'),
  'a text of escapes': filled('{"externalId":"', '\\u0041', '"}'),
  'metadata of 10,000 values': JSON.stringify({ externalId: 'a', metadata: record(10_000, (i) => [`m${i}`, 'v']) }),
};

const rowsOf = (payeeIds, more = {}) =>
  list(1_000, (index) => ({
    payeeId: payeeIds[index % payeeIds.length],
    amountCents: 100 + index,
    currency: 'USD',
    ...more,
  }));

/** Each: what it is, where it goes, and the body. */
export function clientCases(payeeIds) {
  const batch = (items) => JSON.stringify({ idempotencyKey: randomUUID(), items });
  const push = (items) => JSON.stringify({ items, sendEmail: true });
  return [
    ...Object.entries(TEXTS).map(([name, text]) => [name, 'POST', '/api/v1/payees', text]),
    ['1,000 rows of garbage', 'POST', '/api/v1/payouts/batch', batch(list(1_000, () => ({ payeeId: [], a: 1, b: 2 })))],
    [
      '1,000 rows of 60 unknown keys',
      'POST',
      '/api/v1/payouts/batch',
      batch(list(1_000, (row) => record(60, (key) => [`k${row}x${key}`, 1]))),
    ],
    [
      '1,000 rows of bad fields',
      'POST',
      '/api/v1/payouts/batch',
      batch(rowsOf(payeeIds, { amountCents: 'x', currency: {}, ref: 7, metadata: { a: 1 } })),
    ],
    [
      '26,000 ids',
      'POST',
      '/api/v1/disbursements/recovery-link',
      JSON.stringify({ replacementTransactionId: randomUUID(), disbursementIds: list(26_000, () => randomUUID()) }),
    ],
    [
      '500 ids, in order',
      'POST',
      '/api/v1/disbursements/recovery-link',
      JSON.stringify({ replacementTransactionId: randomUUID(), disbursementIds: list(500, () => randomUUID()) }),
    ],
    ['a batch of 1,000, in order', 'POST', '/api/v1/payouts/batch', batch(unique(rowsOf(payeeIds)))],
    [
      'a batch of 1,000 with metadata, in order',
      'POST',
      '/api/v1/payouts/batch',
      batch(unique(rowsOf(payeeIds, { metadata: record(50, (key) => [`key${key}`, 'value']) }))),
    ],
    [
      '1,000 owed rows, in order',
      'POST',
      '/api/v1/disbursements',
      push(rowsOf(payeeIds).map((row) => ({ ...row, externalRef: randomUUID(), reason: 'r'.repeat(500) }))),
    ],
    [
      '1,000 owed rows of new people, in order',
      'POST',
      '/api/v1/disbursements',
      push(
        list(1_000, (index) => ({
          email: `${randomUUID()}@example.com`,
          amountCents: 100 + index,
          currency: 'USD',
          externalRef: randomUUID(),
        })),
      ),
    ],
  ];
}

/** One payee is paid once in a batch. */
const unique = (rows) => rows.map((row) => ({ ...row, idempotencyKey: randomUUID() }));

export function operatorCases(clientId) {
  const settings = `/operator/v1/clients/${clientId}`;
  const routes = '/operator/v1/routes';
  return [
    ...Object.entries(TEXTS).map(([name, text]) => [`${name}, by an operator`, 'PATCH', settings, text]),
    ['floors of 10,000 rails', 'PATCH', settings, JSON.stringify({ floors: record(10_000, (i) => [`r${i}`, 1]) })],
    ['scopes 10,000 times', 'PATCH', settings, JSON.stringify({ scopes: list(10_000, () => 'payouts:read') })],
    ['10,000 allowed rails', 'PATCH', settings, JSON.stringify({ railAllowList: list(10_000, (i) => `rail_${i}`) })],
    ['a routing table of 60,000 rows', 'PUT', routes, JSON.stringify({ routes: record(60_000, (i) => [`c${i}`, []]) })],
    [
      '10,000 blocked countries',
      'PUT',
      routes,
      JSON.stringify({ routes: {}, blockedCountries: list(10_000, () => 'US') }),
    ],
  ];
}

/** Requests without a body. */
export const TARGETS = {
  '1,000 query parameters': `/api/v1/payouts?${list(1_000, (index) => `k${index}=1`).join('&')}`,
  'a cursor of 14 KiB': `/api/v1/payouts?cursor=${'A'.repeat(14_000)}`,
  'a path of 14 KiB': `/${'a/'.repeat(7_000)}b`,
};
