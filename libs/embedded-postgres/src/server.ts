/** One run of the postgres program: in a session of its own, with a watcher that ends it when this process is gone. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Account, ENVIRONMENT, pathInside } from './account';
import type { Cluster } from './cluster';
import { lastPid, readPostmaster } from './postmaster';
import { serverArguments } from './server-settings';

export interface Server {
  port: number;
  /** Settles with the reason. */
  exited: Promise<string>;
  stop(): Promise<void>;
}

const POLL_MS = 15;
const PATIENCE_MS = 30_000;
/** Another start was quicker, or the last processes of a crashed server are still on their way out. */
const TRY_AGAIN =
  /lock file .* (?:already exists|is empty)|shared memory block .* still in use|could not bind|Address already in use/;

/** Null: not now, look again. */
export async function launchServer(cluster: Cluster, port: number): Promise<Server | null> {
  const logBefore = statSync(cluster.logFile, { throwIfNoEntry: false })?.size ?? 0;
  const postgres = spawnPostgres(cluster, port);
  const exited = exitOf(postgres);
  let failure: string | null = null;
  void exited.then((reason) => (failure = reason));
  while (!isReady(cluster, postgres)) {
    if (failure) return explain(cluster, failure, logBefore);
    await pause(POLL_MS);
  }
  return { port, exited, stop: () => stop(postgres, exited) };
}

function spawnPostgres(cluster: Cluster, port: number): ChildProcess {
  const { directory, account, fast } = cluster;
  const stale = lastPid(directory);
  const logFile = openSync(cluster.logFile, 'a', 0o600);
  const postgres = spawn(
    join(cluster.bin, 'postgres'),
    serverArguments(directory, pathInside(account, directory), port, fast),
    {
      ...account,
      cwd: directory,
      // PostgreSQL takes a lock file with its "grandparent's" number for stale. Ours is: nobody with that number serves
      // this directory, but another program may have been given it since.
      env: { ...ENVIRONMENT, ...(stale ? { PG_GRANDPARENT_PID: String(stale) } : {}) },
      stdio: ['ignore', 'ignore', logFile],
      detached: true,
    },
  );
  closeSync(logFile);
  if (postgres.pid) watchOver(postgres, postgres.pid, account);
  postgres.unref();
  return postgres;
}

/** Its input ends when this process does, even by kill -9. */
function watchOver(postgres: ChildProcess, pid: number, account: Account): void {
  const script = 'read -r _; kill -INT "$1"';
  const watcher = spawn('/bin/sh', ['-c', script, 'postgres-watcher', String(pid)], {
    ...account,
    cwd: '/',
    env: ENVIRONMENT,
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Nobody would end the server after us: it ends now, and is tried again.
  watcher.once('error', () => postgres.kill('SIGINT'));
  postgres.once('exit', () => watcher.kill('SIGKILL'));
  watcher.unref();
  (watcher.stdin as unknown as { unref(): void } | undefined)?.unref();
}

function exitOf(postgres: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    postgres.once('error', (error) => resolve(error.message));
    postgres.once('exit', (code, signal) => resolve(`it ended with ${signal ?? `exit code ${code}`}`));
  });
}

function isReady(cluster: Cluster, postgres: ChildProcess): boolean {
  const postmaster = readPostmaster(cluster.directory);
  return postmaster?.pid === postgres.pid && postmaster?.status === 'ready';
}

function explain(cluster: Cluster, failure: string, logBefore: number): null {
  const lines = readFileSync(cluster.logFile).subarray(logBefore).toString('utf8').split('\n');
  if (lines.some((line) => TRY_AGAIN.test(line))) return null;
  const reason = lines.find((line) => /FATAL|PANIC/.test(line))?.replace(/^.*?(FATAL|PANIC):\s*/, '');
  throw new Error(
    `The embedded PostgreSQL did not start: ${reason ?? lines.find(Boolean) ?? failure}. Its log is ${cluster.logFile}.`,
  );
}

async function stop(postgres: ChildProcess, exited: Promise<string>): Promise<void> {
  if (postgres.exitCode !== null || postgres.signalCode !== null) return;
  postgres.ref();
  postgres.kill('SIGINT');
  const late = setTimeout(() => postgres.kill('SIGQUIT'), PATIENCE_MS); // loses nothing: the next start recovers
  await exited;
  clearTimeout(late);
}
