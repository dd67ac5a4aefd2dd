/**
 * Puts a copy in the place of the embedded database. The one that was there is moved aside, never removed. If it is cut off at any point, that
 * place holds either the earlier database or the complete new one; between the two renames it holds none, and then no service starts there.
 */
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { type Account, accountFor } from './account';
import { BEFORE_RESTORE, clusterDirectory } from './cluster';
import { majorVersion } from './native-files';
import { readPostmaster } from './postmaster';
import { startEmbeddedPostgres } from './start-embedded-postgres';

/**
 * The copy, alone in the data directory `from`, becomes the database of `dataDir`. It recovers and is made ready where it lies, where no service
 * looks for one. If it does not start, or `makeReady` throws, all is as it was before. Answers where the earlier database lies now, or null.
 */
export async function restoreCluster(
  dataDir: string,
  from: string,
  makeReady: (url: string) => Promise<void>,
): Promise<string | null> {
  const copy = clusterDirectory(from);
  refuseOtherVersion(copy);
  refuseWhileItRuns(dataDir);
  mkdirSync(dataDir, { recursive: true });
  const directory = clusterDirectory(dataDir);
  giveAll(from, accountFor(directory));
  await inUse(from, `${directory}.log`, makeReady);
  refuseWhileItRuns(dataDir); // whatever supervises the service may have started it meanwhile
  const aside = existsSync(directory) ? freeName(`${directory}${BEFORE_RESTORE}`) : null;
  if (aside) renameSync(directory, aside);
  renameSync(copy, directory); // between these two openCluster makes no new one
  return aside;
}

/** Before anything is unpacked, too: a service in use is the likeliest mistake. */
export function refuseWhileItRuns(dataDir: string): void {
  if (!existsSync(dataDir) || !readPostmaster(clusterDirectory(dataDir))) return;
  throw new Error(`The database under ${dataDir} is in use. Stop the service (and whatever else runs on it) first.`);
}

function refuseOtherVersion(copy: string): void {
  const made = readFileSync(join(copy, 'PG_VERSION'), 'utf8').trim();
  if (made === majorVersion()) return;
  throw new Error(
    `The backup is of PostgreSQL ${made}, and this is PostgreSQL ${majorVersion()}: restore it with the version that made it.`,
  );
}

/** The log outlives it: it says why a copy does not start. */
async function inUse(dataDir: string, logFile: string, work: (url: string) => Promise<void>): Promise<void> {
  const postgres = await startEmbeddedPostgres({ dataDir, logFile });
  try {
    await work(postgres.url);
  } finally {
    await postgres.stop();
  }
}

/** Under root the server runs as somebody else. */
function giveAll(path: string, account: Account): void {
  const { uid, gid } = account;
  if (uid === undefined || gid === undefined) return;
  chownSync(path, uid, gid);
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true }))
    chownSync(join(entry.parentPath, entry.name), uid, gid);
}

function freeName(wanted: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    if (!existsSync(name)) return name;
  }
}
