// Backup and restore of a database of one's own, by pg_dump and pg_restore of the machine: none older than the server will do.
import { spawn, spawnSync } from 'node:child_process';
import { pipeline } from 'node:stream/promises';
import { ask, isOurs } from './facts.mjs';
import { MARKS } from './marks.mjs';
import { mateOf, programsFrom, readerOf, scriptFor } from './programs.mjs';

const QUIETLY = ['--no-owner', '--no-privileges'];

export async function dump(url, file) {
  const [{ program }] = programsFrom(await versionOf(url), 'pg_dump');
  run(program, ['--format=custom', ...QUIETLY, '--file', file], url);
}

/**
 * One transaction that includes the marks: if it is cut off at any point, the database is either as empty as before, or marked. On its own
 * pg_restore would commit before the marks are set, so it only writes the script that psql runs.
 */
export async function restore(url, file) {
  const version = await versionOf(url);
  const reader = readerOf(file, programsFrom(version, 'pg_restore'));
  const psql = mateOf(reader, programsFrom(version, 'psql'));
  if (await isOurs(url)) throw new Error(IN_USE);
  const from = started(reader.program, [...QUIETLY, '--file=-', file], { stdio: ['ignore', 'pipe', 'pipe'] });
  const to = started(psql, PSQL, { stdio: ['pipe', 'ignore', 'pipe'], env: connection(url) });
  to.stdin.on('error', () => undefined); // psql is gone, and says why
  to.stdin.write('BEGIN;\n');
  const isTaken = await pipeline(from.stdout, scriptFor(version, reader), to.stdin, { end: false }).then(
    () => true,
    () => false,
  );
  const unread = await from.complaint;
  to.stdin.end(isTaken && unread === null ? LAST : ''); // without a COMMIT psql leaves nothing behind
  const undone = await to.complaint;
  const complaint = isTaken ? (unread ?? undone) : (undone ?? unread);
  if (complaint !== null) throw new Error(complaint);
}

const PSQL = ['--no-psqlrc', '--no-password', '--quiet', '--set=ON_ERROR_STOP=1'];

/** What was read before leaves no place to look for tables in. */
const LAST = `RESET search_path;\n${MARKS}\nCOMMIT;\n`;

const IN_USE =
  'The database at DATABASE_URL is in use already. Make an empty one, and point DATABASE_URL there. If a restore ' +
  'of it has already completed, run `npm run restore -- --done-elsewhere` before you start the service.';

/** `complaint` settles when it has ended: null if all went well. */
function started(program, words, { stdio, env = {} }) {
  const child = spawn(program, words, { env: { ...process.env, ...env }, stdio });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (said += text));
  const complaint = new Promise((resolve) => {
    child.once('error', ({ message }) => resolve(`${program} failed: ${message}`));
    child.once('close', (code, signal) =>
      resolve(code === 0 ? null : `${program} failed: ${said.trim() || (signal ?? code)}`),
    );
  });
  return { stdin: child.stdin, stdout: child.stdout, complaint };
}

async function versionOf(url) {
  const [{ version }] = await ask(url, `SELECT current_setting('server_version_num')::int / 10000 AS version`);
  return version;
}

/** What the service reads in its DATABASE_URL, as these programs are told of it. */
const OF_URL = {
  host: 'PGHOST',
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  options: 'PGOPTIONS',
};

function run(program, words, url) {
  const { status, stderr } = spawnSync(program, words, {
    encoding: 'utf8',
    env: { ...process.env, ...connection(url) },
  });
  if (status !== 0) throw new Error(`${program} failed: ${stderr.trim()}`);
}

/** The service's own driver knows one word more. */
const wordOf = (value) => (value === 'no-verify' ? 'require' : value);

/** Not as an argument, which every user of the machine could read. */
export function connection(url) {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const given = Object.entries(OF_URL).filter(([name]) => searchParams.get(name));
  return {
    ...{
      PGHOST: decodeURIComponent(hostname).replace(/^\[|\]$/g, ''),
      PGDATABASE: decodeURIComponent(pathname.slice(1)),
    },
    ...{ PGUSER: decodeURIComponent(username), PGPASSWORD: decodeURIComponent(password) },
    ...(port ? { PGPORT: port } : {}),
    ...Object.fromEntries(given.map(([name, variable]) => [variable, wordOf(searchParams.get(name))])),
  };
}
