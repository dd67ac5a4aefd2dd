/**
 * A physical copy of the embedded database while it is in use: the server's own backup mode says where the copy begins and
 * ends in its log, and the log between is copied too. What was committed before the copy began is in it, whole.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, type Dirent, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pid } from 'node:process';
import { Client } from 'pg';
import { clusterDirectory } from './cluster';
import { startEmbeddedPostgres } from './start-embedded-postgres';

/** Of the server that runs, or made again by the one that will. */
const LEFT_OUT =
  /^(?:postmaster\.(?:pid|opts)|backup_label|tablespace_map|backup_manifest|current_logfiles|pg_internal\.init.*|pgsql_tmp.*)$/;
const LEFT_EMPTY = new Set([
  ...['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp', 'pg_subtrans'],
]);
const CONTROL_FILE = 'pg_control';
const SEGMENT = /^[0-9A-F]{24}$/;

/** `look` is asked about the database before it is copied. `into` must not be there yet. */
export async function backUpCluster<T>(dataDir: string, into: string, look: (url: string) => Promise<T>): Promise<T> {
  const directory = clusterDirectory(dataDir);
  if (!existsSync(join(directory, 'PG_VERSION'))) throw new Error(`There is no database in ${directory}.`);
  const postgres = await startEmbeddedPostgres({ dataDir });
  try {
    const seen = await look(postgres.url);
    await copyInBackupMode(postgres.url, directory, into);
    return seen;
  } finally {
    await postgres.stop();
  }
}

/** Both ends of a backup belong to one session; so does the slot, which keeps the server from taking back its log. */
async function copyInBackupMode(url: string, directory: string, into: string): Promise<void> {
  const client = new Client({ connectionString: url, ssl: false });
  client.on('error', () => undefined); // a server that goes away also rejects the query
  await client.connect();
  try {
    await client.query(`SELECT pg_create_physical_replication_slot($1, true, true)`, [`backup_${pid}`]);
    await client.query(`SELECT pg_backup_start('payout gateway', true)`);
    copyFiles(directory, into);
    copyFileSync(join(directory, 'global', CONTROL_FILE), join(into, 'global', CONTROL_FILE));
    const { rows } = await client.query<{ label: string; last: string }>(
      `SELECT labelfile AS label, pg_walfile_name(lsn) AS last FROM pg_backup_stop(false)`,
    );
    const { label = '', last = '' } = rows[0] ?? {};
    writeFileSync(join(into, 'backup_label'), label, { mode: 0o600 });
    copyLog(join(directory, 'pg_wal'), join(into, 'pg_wal'), firstSegment(label), last);
  } finally {
    await client.end();
  }
}

function copyFiles(from: string, to: string): void {
  mkdirSync(to, { mode: 0o700 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const { name } = entry;
    if (LEFT_OUT.test(name) || name === CONTROL_FILE) continue;
    if (LEFT_EMPTY.has(name)) mkdirSync(join(to, name), { mode: 0o700 });
    else if (entry.isDirectory()) copyFiles(join(from, name), join(to, name));
    else copyOne(entry, from, to);
  }
}

/** A table may be dropped while it is copied: then the log says so too. */
function copyOne({ name, parentPath }: Dirent, from: string, to: string): void {
  try {
    copyFileSync(join(from, name), join(to, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || !existsSync(parentPath)) throw error;
  }
}

function firstSegment(label: string): string {
  return /START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)/.exec(label)?.[1] ?? '';
}

function copyLog(from: string, to: string, first: string, last: string): void {
  const segments = readdirSync(from).filter((name) => SEGMENT.test(name) && name >= first && name <= last);
  if (!segments.includes(first) || !segments.includes(last))
    throw new Error(`The log from ${first} to ${last} is not all there, so the copy could not be read. Try again.`);
  for (const name of segments) copyFileSync(join(from, name), join(to, name));
}
