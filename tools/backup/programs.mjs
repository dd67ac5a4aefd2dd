// Which of PostgreSQL's programs on this machine are used for a server, and what of a newer one's script an older server would not know.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where Debian keeps the programs of each version. What it puts on the PATH picks one of them anew with each call. */
const DEBIANS = '/usr/lib/postgresql';

/** Since then pg_restore begins its script with a time-out that older servers do not know; they have none to take back. */
const HAS_TRANSACTION_TIMEOUT = 17;
const TRANSACTION_TIMEOUT = /^SET transaction_timeout = 0;\n/m;
/** It stands among the first lines, and nothing of the database does. */
const BEGINNING_BYTES = 4_096;

/** All of that name that are at least of this version, the oldest first: what newer ones write an older server may not know. */
export function programsFrom(version, name) {
  const places = existsSync(DEBIANS) ? readdirSync(DEBIANS).map((folder) => join(DEBIANS, folder, 'bin', name)) : [];
  const found = [...places, name]
    .map((program) => ({ program, version: majorOf(program) }))
    .filter((one) => one.version !== null)
    .sort((one, other) => one.version - other.version);
  const fit = found.filter((one) => one.version >= version);
  if (fit.length > 0) return fit;
  const newest = found.at(-1);
  const here = newest ? `the newest ${name} here is of version ${newest.version}` : `there is no ${name} here`;
  throw new Error(
    `The server is PostgreSQL ${version}, and ${here}. Install the programs of version ${version} or newer ` +
      `(Debian: postgresql-client-${version}), or put them on the PATH.`,
  );
}

/** The oldest that can read the file: it may be of a newer server, or written by a newer program. If none can, the newest says why. */
export function readerOf(file, readers) {
  const canRead = ({ program }) => spawnSync(program, ['--list', file], { stdio: 'ignore' }).status === 0;
  return readers.find(canRead) ?? readers.at(-1);
}

/** The psql for this pg_restore: an older one may not know what the script says to psql itself. */
export function mateOf(reader, runners) {
  return (runners.find(({ version }) => version >= reader.version) ?? runners.at(-1)).program;
}

/** The script that pg_restore of one version writes, as a server of another one takes it. */
export function scriptFor(server, { version }) {
  const isKnown = server >= HAS_TRANSACTION_TIMEOUT || version < HAS_TRANSACTION_TIMEOUT;
  return async function* (script) {
    let beginning = isKnown ? null : Buffer.alloc(0);
    for await (const chunk of script) {
      if (beginning === null) yield chunk;
      else {
        beginning = Buffer.concat([beginning, chunk]);
        if (beginning.length < BEGINNING_BYTES) continue;
        yield withoutTimeout(beginning);
        beginning = null;
      }
    }
    if (beginning !== null) yield withoutTimeout(beginning);
  };
}

/** latin1 keeps every byte as it is. */
const withoutTimeout = (script) => Buffer.from(script.toString('latin1').replace(TRANSACTION_TIMEOUT, ''), 'latin1');

function majorOf(program) {
  const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return status === 0 ? Number(/(\d+)/.exec(stdout)?.[1]) : null;
}
