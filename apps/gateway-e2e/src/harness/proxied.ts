/** An API and a worker whose way to PostgreSQL leads through a proxy each, so that a spec can cut it where it likes. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CODE_VERSION, sessionNameOf } from '#libs/db';
import { PostgresProxy } from '#libs/db/testing';
import { newDatabase } from './database';
import { GatewayProcess } from './gateway-process';
import type { Topology } from './topology';

export interface Proxied extends Topology {
  api: GatewayProcess;
  worker: GatewayProcess;
  ofApi: PostgresProxy;
  ofWorker: PostgresProxy;
}

/** The pool's connections: what a process watches the database with has another name. */
export const POOL = sessionNameOf(CODE_VERSION);

export async function startProxied(env: Record<string, string> = {}, standIns = false): Promise<Proxied> {
  const databaseUrl = await newDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'gw-proxied-'));
  const [ofApi, ofWorker] = [await PostgresProxy.start(databaseUrl), await PostgresProxy.start(databaseUrl)];
  const settings = { dataDir, standIns, env: { LOG_LEVEL: 'warn', RATE_LIMIT_PER_MINUTE: '1000000', ...env } };
  const api = await GatewayProcess.start({ ...settings, role: 'api', databaseUrl: ofApi.url });
  const worker = await GatewayProcess.start({ ...settings, role: 'worker', databaseUrl: ofWorker.url });
  const operatorToken = readFileSync(join(dataDir, 'operator.token'), 'utf8').trim();
  return { api, worker, ofApi, ofWorker, processes: [api, worker], urls: [api.url], operatorToken, databaseUrl };
}

export async function stopProxied({ processes, ofApi, ofWorker }: Proxied): Promise<void> {
  await Promise.all(processes.map((process) => process.kill('SIGTERM')));
  await Promise.all([ofApi.stop(), ofWorker.stop()]);
}
