/** What restore refuses, in one line and before anything is changed, and what backup does not write over. */
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const KEY = '5e'.repeat(32);
/** As sealed texts and backups name it. */
const KEY_NAME = '9985b2e4';
const folder = mkdtempSync(join(tmpdir(), 'payout-gateway-restore-'));
const dataDir = join(folder, 'data');
const settings = { PATH: '/usr/local/bin:/usr/bin:/bin', DATA_DIR: dataDir, MASTER_KEY: KEY, NO_COLOR: '1' };
const FACTS = {
  format: 1,
  kind: 'embedded',
  deployment: '',
  masterKeys: [KEY_NAME],
  madeAt: '2026-01-05T12:00:00.000Z',
  newestMigration: 1763600000082,
};

function run(script: string, words: string[], change: Record<string, string> = {}) {
  const env = { ...settings, ...change };
  return spawnSync(process.execPath, [`tools/${script}.mjs`, ...words], { cwd: ROOT, env, encoding: 'utf8' });
}

/** A backup as the service would make it, of a database that is none. */
function backupWith(facts: object | string, name = 'it.backup'): string {
  const draft = mkdtempSync(join(folder, 'draft-'));
  writeFileSync(join(draft, 'facts.json'), typeof facts === 'string' ? facts : JSON.stringify(facts));
  mkdirSync(join(draft, 'postgres'));
  writeFileSync(join(draft, 'postgres/PG_VERSION'), '12\n');
  const file = join(folder, name);
  spawnSync('tar', ['--create', '--gzip', '--file', file, '--directory', draft, 'facts.json', 'postgres']);
  return file;
}

beforeAll(() => {
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'master.key'), `${KEY}\n`);
});
afterAll(() => rmSync(folder, { recursive: true }));

const good = () => backupWith(FACTS);
const truncated = (): string => {
  const file = backupWith({ ...FACTS, filler: 'x'.repeat(100_000) }, 'cut.backup');
  truncateSync(file, Math.floor(statSync(file).size / 2));
  return file;
};
const page = (): string => {
  writeFileSync(join(folder, 'page.html'), '<html>');
  return join(folder, 'page.html');
};

test.each<[string, () => string[], Record<string, string>, RegExp]>([
  ['no file at all', () => [], {}, /^npm run restore takes the path of a file: npm run restore -- <file>\n$/],
  ['two files', () => [good(), good()], {}, /takes the path of a file/],
  ['a file that is not there', () => [join(folder, 'nowhere')], {}, /^There is no file .*nowhere\.\n$/],
  ['a file of something else', () => [page()], {}, /page\.html is no backup of this service, or not all of it/],
  ['a file that was cut off', () => [truncated()], {}, /cut\.backup is no backup of this service, or not all of it/],
  ['a tar of something else', () => [backupWith('{}')], {}, /is no backup of this service: it has no facts/],
  ['a backup of a later version', () => [backupWith({ ...FACTS, format: 2 })], {}, /by another version .*\(format 2\)/],
  [
    'one of a version with other codes',
    () => [backupWith({ ...FACTS, newestMigration: 1763600000081 })],
    {},
    /is of an earlier version, .* paid again\..* add --paid-by-this-version\n$/,
  ],
  [
    'one that does not say of which version it is',
    () => [backupWith({ ...FACTS, newestMigration: undefined })],
    {},
    /is of an earlier version/,
  ],
  [
    'one of another DEPLOYMENT',
    () => [good()],
    { DEPLOYMENT: 'b' },
    /is of DEPLOYMENT='', and here it is 'b'\. .*paid again/,
  ],
  [
    'one of another DEPLOYMENT, by what its database kept',
    () => [backupWith({ ...FACTS, deployment: 'a', keepsDeployment: true })],
    { DEPLOYMENT: 'b' },
    /is of DEPLOYMENT='a', and here it is 'b'/,
  ],
  [
    'one of before that was made under a name, where none is said',
    () => [backupWith({ ...FACTS, deployment: 'a' })],
    {},
    /is of DEPLOYMENT='a', and here it is ''/,
  ],
  [
    'one whose master key is not here',
    () => [good()],
    { MASTER_KEY: '00'.repeat(32) },
    new RegExp(`sealed with master key ${KEY_NAME}, and MASTER_KEY does not hold it`),
  ],
  [
    'one of an embedded database for one of your own',
    () => [good()],
    { DATABASE_URL: 'postgres://nowhere' },
    /is of an embedded database: unset DATABASE_URL/,
  ],
  ['one of your own database', () => [backupWith({ ...FACTS, kind: 'own' })], {}, /of your own: set DATABASE_URL/],
  ['one of another PostgreSQL', () => [good()], { MASTER_KEY: '' }, /is of PostgreSQL 12, and this is PostgreSQL 18/],
])('restore refuses %s', (_, words, change, complaint) => {
  const before = readdirSync(dataDir);
  const { status, stdout, stderr } = run('restore', words(), change);
  expect(stderr).toMatch(complaint);
  expect(stderr.trimEnd()).not.toContain('\n');
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(readdirSync(dataDir)).toEqual(before);
});

test.each<[string, () => string[], RegExp]>([
  ['no file at all', () => [], /npm run backup takes the path of a file/],
  ['a file that is there', () => [page()], /page\.html is there already, and is left as it is/],
  ['a folder that is not there', () => [join(folder, 'nowhere/it')], /^There is no folder .*nowhere\.\n$/],
  ['a place without a database', () => [join(folder, 'new')], /^There is no database in .*data\/postgres\.\n$/],
])('backup refuses %s', (_, words, complaint) => {
  const { status, stderr } = run('backup', words());
  expect(stderr).toMatch(complaint);
  expect(status).toBe(1);
  expect(readdirSync(folder).filter((name) => name.startsWith('.') || name === 'new')).toEqual([]);
  expect(readFileSync(page(), 'utf8')).toBe('<html>');
});

test('backup says in one line that a database does not answer', () => {
  const change = { DATABASE_URL: 'postgres://gateway@127.0.0.1:1/gateway' };
  const { status, stderr } = run('backup', [join(folder, 'new')], change);
  expect(stderr).toMatch(/^The database does not answer: .*\.\n$/);
  expect(status).toBe(1);
});
