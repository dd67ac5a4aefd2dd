/** The data directory: made by initdb when missing, refused in plain words when it cannot be used. */
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Account, accountFor } from './account';
import { createCluster, PASSWORD_FILE } from './create-cluster';
import { majorVersion, nativeDirectory } from './native-files';
import { isAlive } from './postmaster';

/** Added to the name of a database that a restore moved aside. */
export const BEFORE_RESTORE = '.before-restore';

export interface Cluster {
  directory: string;
  logFile: string;
  /** Where postgres and initdb lie. */
  bin: string;
  account: Account;
  password: string;
  fast: boolean;
}

export async function openCluster(dataDir: string, fast: boolean, log: (line: string) => void): Promise<Cluster> {
  mkdirSync(dataDir, { recursive: true });
  const directory = clusterDirectory(dataDir);
  const account = accountFor(directory);
  const bin = join(nativeDirectory(account), 'bin');
  removeHalfMade(directory);
  if (isEmpty(directory)) {
    refuseHalfRestored(directory);
    log(`Creating a PostgreSQL ${majorVersion()} database in ${directory}`);
    await createCluster(directory, bin, account, fast);
  }
  refuseOtherVersions(directory);
  return { directory, logFile: `${directory}.log`, bin, account, password: passwordOf(directory, bin), fast };
}

/** Earlier versions did not wait until it was on disk. */
function passwordOf(directory: string, bin: string): string {
  const password = readFileSync(join(directory, PASSWORD_FILE), 'utf8').trim();
  if (/^[0-9a-f]{48}$/.test(password)) return password;
  throw new Error(
    `${PASSWORD_FILE} in ${directory} is empty or cut off, as a power cut leaves it. The data is whole. Put the file back from a copy of the ` +
      'directory, or give the database another password: with nothing running on it, write 48 hex digits into the file ' +
      '(`openssl rand -hex 24` makes them), and set the same ones as the user that the directory belongs to: ' +
      `echo "ALTER ROLE gateway PASSWORD '<the 48 digits>'" | ${join(bin, 'postgres')} --single -D ${directory} postgres`,
  );
}

/** Of a data directory that is there. */
export function clusterDirectory(dataDir: string): string {
  return join(realpathSync(dataDir), 'postgres');
}

/** Removes what a process left that was killed during initdb: `postgres.<pid>.new` and its password file. */
function removeHalfMade(directory: string): void {
  for (const name of readdirSync(dirname(directory))) {
    const pid = /^\.(\d+)\.(?:new|password)$/.exec(name.slice(basename(directory).length))?.[1];
    if (name.startsWith(basename(directory)) && pid && !isAlive(Number(pid)))
      rmSync(join(dirname(directory), name), { recursive: true, force: true });
  }
}

/** A restore that was cut off between its last two steps left no database here. Making a new one would forget all payouts. */
function refuseHalfRestored(directory: string): void {
  const [before] = existsSync(directory) ? [] : besides(directory, BEFORE_RESTORE);
  if (before)
    throw new Error(
      `There is no database in ${directory}, but the one from before a restore is in ${before}. If a restore was interrupted, run it ` +
        `again, or move that one back to ${directory}. To start with an empty database, move it elsewhere.`,
    );
}

function besides(directory: string, ending: string): string[] {
  const names = readdirSync(dirname(directory)).filter((name) => name.startsWith(`${basename(directory)}${ending}`));
  return names.map((name) => join(dirname(directory), name));
}

function isEmpty(directory: string): boolean {
  try {
    return readdirSync(directory).length === 0;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return true;
    if (code !== 'EACCES') throw error;
    throw new Error(
      `The database in ${directory} belongs to another user. Start as the user who made it (root, if it was root), or set DATA_DIR.`,
    );
  }
}

function refuseOtherVersions(directory: string): void {
  const names = readdirSync(directory);
  if (!names.includes('PG_VERSION') || !names.includes(PASSWORD_FILE))
    throw new Error(`${directory} was not made by this service. Move it away, or set DATA_DIR to another directory.`);
  const made = readFileSync(join(directory, 'PG_VERSION'), 'utf8').trim();
  if (made !== majorVersion())
    throw new Error(
      `The database in ${directory} was made by PostgreSQL ${made}, and this is PostgreSQL ${majorVersion()}. ` +
        `Move it to a PostgreSQL ${made} server and set DATABASE_URL, or move the directory away to begin anew.`,
    );
}
