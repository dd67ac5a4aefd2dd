// A database that is up to date and that nobody uses. Specs copy it, which takes a tenth of the time that all the migrations take.
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import pg from 'pg';

const require = createRequire(import.meta.url);

/** On the server of this address. `drop` removes it again, for the server may be somebody's own. */
export async function makeTemplateDatabase(server) {
  // Only now: the build has just made it.
  const { dataSourceOptions, migrate } = require('../../dist/libs/db/src/index.js');
  const name = `template_${randomBytes(6).toString('hex')}`;
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const drop = () => execute(server, `DROP DATABASE ${name} WITH (FORCE)`);
  await execute(server, `CREATE DATABASE ${name}`);
  try {
    await migrate(dataSourceOptions({ url, poolSize: 2, onPoolError: () => undefined }));
  } catch (error) {
    await drop();
    throw error;
  }
  return { name, drop };
}

async function execute(server, sql) {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
