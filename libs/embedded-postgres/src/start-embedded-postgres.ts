/**
 * A real PostgreSQL for a service that was given no DATABASE_URL. Whoever starts it owns it; a second process on the
 * same data directory joins it, and runs it itself once its owner is gone. It never shares the owner's Ctrl-C.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Cluster, openCluster } from './cluster';
import { ensureDatabase } from './database';
import { keepRunning } from './keep-running';
import { choosePort, isFree } from './port';
import { endEmptyLock, isLockEmpty, type Postmaster, readPostmaster } from './postmaster';
import { launchServer, type Server } from './server';
import { takeOver } from './take-over';

export interface EmbeddedPostgresOptions {
  dataDir: string;
  /** For tests only: nothing is synced to disk. */
  fast?: boolean;
  log?: (line: string) => void;
  /** The server's log. By default it is beside the server's directory. */
  logFile?: string;
}

export interface EmbeddedPostgres {
  url: string;
  /** False when another process started it: then `stop` leaves it running, unless it was taken over since. */
  owned: boolean;
  stop(): Promise<void>;
}

const PAUSE_MS = 50;
const MAX_TURNS = 6000; // five minutes: the recovery of a big database takes its time
const EMPTY_TURNS = 40; // whoever makes the lock file writes into it at once

export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => undefined);
  const opened = await openCluster(options.dataDir, options.fast ?? false, log);
  const cluster = { ...opened, logFile: options.logFile ?? opened.logFile };
  const started = await enter(cluster, log);
  if (started.owned) return started;
  log(`The database in ${options.dataDir} is in use by another process of the service, and is shared with it.`);
  const watch = beGuest(cluster, portOf(started), log);
  return { ...started, stop: () => watch.stop() };
}

/** `port`: whoever goes on with a server that others know goes on where they know it. */
async function enter(cluster: Cluster, log: (line: string) => void, port?: number): Promise<EmbeddedPostgres> {
  for (let turn = 0, empty = 0; turn < MAX_TURNS; turn++) {
    empty = isLockEmpty(cluster.directory) ? empty + 1 : 0;
    if (empty > EMPTY_TURNS) endEmptyLock(cluster.directory);
    const started = empty > 0 ? null : await joinOrLaunch(cluster, log, port);
    if (started) return started;
    await pause(PAUSE_MS);
  }
  throw new Error(`PostgreSQL in ${cluster.directory} did not become ready; its log is ${cluster.logFile}.`);
}

function joinOrLaunch(cluster: Cluster, log: (line: string) => void, port?: number): Promise<EmbeddedPostgres | null> {
  const found = readPostmaster(cluster.directory);
  return found ? join(cluster, found) : launch(cluster, log, port);
}

function beGuest(cluster: Cluster, port: number, log: (line: string) => void): { stop(): Promise<void> } {
  return takeOver(
    () => readPostmaster(cluster.directory)?.starterAlive ?? false,
    () => enter(cluster, log, port),
    log,
  );
}

async function launch(cluster: Cluster, log: (line: string) => void, port?: number): Promise<EmbeddedPostgres | null> {
  const server = port
    ? await launchAgain(cluster, port)
    : await launchServer(cluster, await choosePort(cluster.directory));
  if (!server) return null;
  const url = urlOf(cluster, server.port);
  const kept = keepRunning(server, {
    relaunch: () => relaunch(cluster, server.port),
    beGuest: () => beGuest(cluster, server.port, log),
    log,
  });
  try {
    await ensureDatabase(url);
  } catch (error) {
    await kept.stop();
    throw error;
  }
  return { url, owned: true, stop: () => kept.stop() };
}

/** Null: it is on its way up or down, look again. */
async function join(cluster: Cluster, found: Postmaster): Promise<EmbeddedPostgres | null> {
  if (!found.starterAlive) {
    found.interrupt(); // its watcher is about to do the same: better a second's wait than a database that goes away
    return null;
  }
  if (found.status !== 'ready') return null;
  const url = urlOf(cluster, found.port);
  const failure = await ensureDatabase(url).catch((error: unknown) => error);
  if (readPostmaster(cluster.directory)?.status !== 'ready') return null; // its owner was just stopping it
  if (failure) throw failure;
  return { url, owned: false, stop: async () => undefined };
}

/** After a crash: the old server's last processes may need a moment to notice. Null: another process was quicker. */
async function relaunch(cluster: Cluster, port: number): Promise<Server | null> {
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    if (readPostmaster(cluster.directory)) return null;
    const server = await launchAgain(cluster, port);
    if (server) return server;
    await pause(PAUSE_MS);
  }
  throw new Error(`PostgreSQL in ${cluster.directory} could not be started again; its log is ${cluster.logFile}.`);
}

/** At its old port: nobody who has its address would find it elsewhere. */
async function launchAgain(cluster: Cluster, port: number): Promise<Server | null> {
  if (await isFree(port)) return launchServer(cluster, port);
  if (readPostmaster(cluster.directory)) return null;
  throw new Error(`Another program took port ${port}, where PostgreSQL is known to be; end it.`);
}

const portOf = ({ url }: EmbeddedPostgres): number => Number(new URL(url).port);

function urlOf(cluster: Cluster, port: number): string {
  return `postgres://gateway:${cluster.password}@127.0.0.1:${port}/gateway`;
}
