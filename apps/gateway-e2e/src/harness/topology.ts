/** How many processes of which role on which queue: the same specs run on each. */
import { randomInt } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newDatabase } from './database';
import { GatewayProcess, type GatewaySettings } from './gateway-process';

export const TOPOLOGIES = ['embedded-1', 'embedded-4', 'bull-1', 'bull-4'] as const;
export type TopologyName = (typeof TOPOLOGIES)[number];

export interface Topology {
  processes: GatewayProcess[];
  urls: string[];
  operatorToken: string;
  databaseUrl: string;
  redisUrl?: string;
}

const ROLES: Record<'1' | '4', GatewaySettings['role'][]> = { 1: ['all'], 4: ['api', 'api', 'worker', 'worker'] };

export async function startTopology(
  name: TopologyName,
  env: Record<string, string> = {},
  { standIns = false } = {},
): Promise<Topology> {
  const [driver, size] = name.split('-') as ['embedded' | 'bull', '1' | '4'];
  const dataDir = mkdtempSync(join(tmpdir(), 'gw-e2e-'));
  const databaseUrl = await newDatabase();
  const redisUrl = driver === 'bull' ? redisDatabase() : undefined;
  const settings = { databaseUrl, redisUrl, dataDir, standIns, env: { LOG_LEVEL: 'warn', ...env } };
  const [first, ...others] = ROLES[size];
  // The first process makes the development secrets and migrates; the others find both.
  const processes = [await GatewayProcess.start({ ...settings, role: first as GatewaySettings['role'] })];
  processes.push(...(await Promise.all(others.map((role) => GatewayProcess.start({ ...settings, role })))));
  return {
    processes,
    urls: processes.filter(({ settings: { role } }) => role !== 'worker').map(({ url }) => url),
    operatorToken: readFileSync(join(dataDir, 'operator.token'), 'utf8').trim(),
    databaseUrl,
    redisUrl,
  };
}

export async function stopTopology({ processes }: Pick<Topology, 'processes'>): Promise<void> {
  await Promise.all(processes.map((process) => process.kill('SIGTERM')));
}

/** Redis has sixteen databases: each of three Jest workers draws from its own five, so that what runs beside it is never in its way. */
export function redisDatabase(): string {
  const server = process.env.TEST_REDIS_URL;
  if (!server) throw new Error('TEST_REDIS_URL is not set. Run these specs by `npm test`.');
  const first = 1 + 5 * (Number(process.env.JEST_WORKER_ID ?? 0) % 3);
  return `${server.replace(/\/+$/, '')}/${randomInt(first, first + 5)}`;
}
