/** The schema that a database's address names counts for the programs of a backup and a restore too: what is restored is marked there. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const OWN_DATABASE = join(__dirname, 'own-database.mjs');

test('psql and pg_dump are told of the options that the address has', () => {
  const url = 'postgres://me@127.0.0.1:5432/db?options=-c%20search_path%3Dgwx';
  const script = `import(${JSON.stringify(OWN_DATABASE)}).then(({ connection }) => console.log(JSON.stringify(connection(${JSON.stringify(url)}))))`;
  const { stdout } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  expect(JSON.parse(stdout)).toMatchObject({ PGDATABASE: 'db', PGOPTIONS: '-c search_path=gwx' });
});
