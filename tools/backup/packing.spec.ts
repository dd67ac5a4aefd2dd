/** A backup's file while it is made, and how the programs of PostgreSQL are told of a database. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'payout-gateway-packing-'));
afterAll(() => rmSync(folder, { recursive: true }));

const runModule = (code: string): string =>
  execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: __dirname, encoding: 'utf8' });

test('a draft is written nowhere that others know the name of', () => {
  const draft = join(folder, '.draft');
  mkdirSync(join(draft, 'postgres'), { recursive: true });
  const file = join(folder, 'monday.backup');
  writeFileSync(`${file}.partial`, 'of somebody else', { mode: 0o666 });
  runModule(`import { pack } from './archive.mjs'; pack('${draft}', 'postgres', {}, '${file}');`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(`${file}.partial`, 'utf8')).toBe('of somebody else');
  expect(execFileSync('tar', ['--list', '--gzip', '--file', file], { encoding: 'utf8' })).toBe(
    'facts.json\npostgres/\n',
  );
  expect(existsSync(join(draft, 'packed'))).toBe(false);
});

test.each([
  [
    'postgres://a%40b:p%2Fw@db.example:6000/gate?sslmode=verify-full&sslrootcert=/ca.pem&sslcert=/c.pem&sslkey=/k.pem',
    {
      ...{ PGHOST: 'db.example', PGPORT: '6000', PGDATABASE: 'gate', PGUSER: 'a@b', PGPASSWORD: 'p/w' },
      ...{ PGSSLMODE: 'verify-full', PGSSLROOTCERT: '/ca.pem', PGSSLCERT: '/c.pem', PGSSLKEY: '/k.pem' },
    },
  ],
  [
    'postgres://gateway@localhost/gate?host=/var/run/postgresql&sslmode=no-verify',
    {
      ...{ PGHOST: '/var/run/postgresql', PGDATABASE: 'gate', PGUSER: 'gateway', PGPASSWORD: '', PGSSLMODE: 'require' },
    },
  ],
])('%s is told to pg_dump as the service reads it', (url, wanted) => {
  const code = `import { connection } from './own-database.mjs'; console.log(JSON.stringify(connection('${url}')));`;
  expect(JSON.parse(runModule(code))).toEqual(wanted);
});
