/** Starts one process of the service in its role, on a database that it brings along if none is given. */
import './signals';
import 'reflect-metadata';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ClientReads } from '#libs/clients';
import { systemClock } from '#libs/domain';
import { type Config, ensureDataDir, loadConfig } from '#libs/config';
import { DatabasePlace, dataSourceOptions, migrate } from '#libs/db';
import { startEmbeddedPostgres } from '#libs/embedded-postgres';
import { requestsUnderWay } from '#libs/http-kit';
import { FirstRuns, JobQueue } from '#libs/jobs';
import { ProvisionClients, type ProvisionedClient } from '#libs/operator';
import type { RailDefinition } from '#libs/rail-kit';
import { keepDeployment } from '#libs/reconciliation';
import { log, loopWatch, NestLog, setLogLevel } from '#libs/telemetry';
import { AppModule, type ResolvedConfig } from './app.module';
import { demoClient } from './first-start';
import { createHttpApp, listenAt } from './http-server';
import { type Port, portsOf } from './ports';
import { databaseFailure, listenFailure } from './start-failure';
import { startScreen } from './start-screen';
import { runtimeNotice } from './runtime-age';
import { stopOnSignal } from './stop';
import { Stopping } from './stopping';

interface Database {
  url: string;
  embedded: boolean;
  stop(): Promise<void>;
}

async function start(definitions?: RailDefinition[]): Promise<void> {
  const startedAt = performance.now();
  const config = loadConfig();
  setLogLevel(config.logLevel);
  for (const port of portsOf(config)) await claimable(port, config);
  const database = await openDatabase(config);
  try {
    const resolved = { ...config, databaseUrl: database.url };
    await bringUpToDate(config, database);
    const stoppable = stopOnSignal(config.stopGraceSeconds);
    const app = await startApp(resolved, definitions);
    loopWatch.start(tellOfBlocking);
    if (!stoppable({ app, database, graceSeconds: config.stopGraceSeconds })) return;
    // Not waited for: nothing that is asked of this process has to be there first.
    if (config.role !== 'api') void app.get(FirstRuns).run();
    const stopping = app.get(Stopping);
    const demo = await firstClient(app, config).catch((error: Error) =>
      stopping.begun ? null : Promise.reject(error),
    );
    const { embedded } = database;
    const queueTrouble = app.get(JobQueue).trouble();
    const runtime = runtimeNotice(process.versions.node, systemClock.now());
    const ms = performance.now() - startedAt;
    process.stdout.write(startScreen(resolved, { demo, embedded, queueTrouble, runtime, ms }));
  } catch (error) {
    setLogLevel('silent'); // the one line to come says it; that connections end with the database is no news
    await database.stop();
    setLogLevel(config.logLevel);
    throw error;
  }
}

async function firstClient(
  app: INestApplicationContext,
  { production, role }: Config,
): Promise<ProvisionedClient | null> {
  return production || role === 'worker' ? null : demoClient(app.get(ClientReads), app.get(ProvisionClients));
}

/** Found out before anything else is started: a port in use is the most common reason not to start. */
async function claimable(port: Port, { host }: Config): Promise<void> {
  const server = createServer().listen(port.number, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw listenFailure(error, port, host);
  });
  server.close();
  await once(server, 'close');
}

async function openDatabase(config: Config): Promise<Database> {
  if (config.databaseUrl) return { url: config.databaseUrl, embedded: false, stop: () => Promise.resolve() };
  ensureDataDir(config.dataDir);
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log: tell });
  return { url: postgres.url, embedded: true, stop: () => postgres.stop() };
}

async function bringUpToDate({ databaseUrl, databaseFailover, deployment }: Config, { url }: Database): Promise<void> {
  const place = new DatabasePlace(databaseFailover);
  const options = dataSourceOptions({ url, poolSize: 2, onPoolError: lostConnection, place });
  try {
    await migrate(options);
    await keepDeployment(options, deployment);
  } catch (error) {
    throw databaseUrl ? databaseFailure(error as NodeJS.ErrnoException, databaseUrl) : error;
  }
}

/** Tells whoever waits for a first start what takes so long. */
function tell(line: string): void {
  process.stdout.write(`  ${line}\n`);
}

/** A worker serves its health and its metrics if it is given a port. */
async function startApp(config: ResolvedConfig, definitions?: RailDefinition[]): Promise<INestApplicationContext> {
  const module = AppModule.forRoot(config, definitions);
  const ports = portsOf(config);
  if (ports.length === 0) {
    return NestFactory.createApplicationContext(module, { logger: new NestLog(), abortOnError: false });
  }
  const app = await createHttpApp(module, config);
  await listenAt(app, config.host, ports);
  return app;
}

/** While something computes for long nobody is answered: it has to be cut into portions, or refused. */
function tellOfBlocking(ms: number): void {
  log.warn({ event: 'loop.blocked', ms: Math.round(ms), requests: requestsUnderWay() }, 'nothing was done for long');
}

function lostConnection(error: Error): void {
  log.warn({ event: 'database.connection_lost', error: error.message }, 'the database connection was lost');
}

/** With the rails it is shipped with, if no others are given. A process that cannot start ends, and says why. */
export function run(definitions?: RailDefinition[]): void {
  // If nobody can read our output, that is no reason to end.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
  start(definitions).catch((error: Error) => {
    log.debug({ event: 'start.failed', stack: error.stack }, 'start failed');
    process.stderr.write(`payout gateway: ${error.message}\n`);
    process.exit(1);
  });
}
