/** No operator route without a command, and no command that asks a route the service does not have. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Reference {
  paths: Record<string, Record<string, unknown>>;
}

const ROOT = join(__dirname, '../..');
const CALL = /(?:call\('(?<method>[A-Z]+)', |(?<list>list)\()(?:`(?<template>[^`]+)`|'(?<plain>[^']+)')/g;

test('gw and the reference name the same routes', () => {
  const { paths } = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as Reference;
  const offered = Object.entries(paths)
    .filter(([path]) => path.startsWith('/operator/v1'))
    .flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${withoutNames(path)}`),
    );
  const files = ['commands', 'client-commands', 'payout-commands', 'payee-commands', 'mail-commands', 'work-commands'];
  const source = files.map((name) => readFileSync(join(__dirname, `${name}.mjs`), 'utf8')).join('\n');
  // These three steps of a payout share one line.
  const steps = source.replace(
    '`/payouts/${id}/${step}`',
    "`/payouts/${id}/release`) call('POST', `/payouts/${id}/retry`",
  );
  const asked = [...steps.matchAll(CALL)].map(
    ({ groups = {} }) => `${groups.method ?? 'GET'} ${withoutNames(`/operator/v1${groups.template ?? groups.plain}`)}`,
  );
  expect([...new Set(asked)].sort()).toEqual(offered.sort());
});

function withoutNames(path: string): string {
  return path.replace(/\$?\{[^}]*\}/g, '{}');
}
