/** Everything a run consists of, each part a process of its own: database, Redis, provider, gateways. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GatewaySettings } from '../../harness/gateway-process';
import { Chronicle } from '../chronicle';
import { Gateways } from './gateways';
import { Postgres } from './postgres';
import { ProviderProcess } from './provider-process';
import { RedisServer } from './redis';

export const CHAOS_TOPOLOGIES = ['embedded-4', 'bull-4', 'embedded-1'] as const;
export type ChaosTopology = (typeof CHAOS_TOPOLOGIES)[number];

const ROLES: Record<ChaosTopology, GatewaySettings['role'][]> = {
  'embedded-4': ['api', 'api', 'worker', 'worker'],
  'bull-4': ['api', 'api', 'worker', 'worker'],
  'embedded-1': ['all'],
};
const UNHURRIED = { RATE_LIMIT_PER_MINUTE: '1000000', AUTH_FAILURES_PER_MINUTE: '1000000' };

export class World {
  readonly chronicle = new Chronicle(mkdtempSync(join(tmpdir(), 'gw-chaos-')));
  readonly postgres = new Postgres(this.chronicle);
  readonly gateways = new Gateways(this.chronicle);
  readonly provider: ProviderProcess;
  readonly redis: RedisServer | null;
  operatorToken = '';

  constructor(
    readonly topology: ChaosTopology,
    seed: number,
  ) {
    this.provider = new ProviderProcess(this.chronicle, seed);
    this.redis = topology.startsWith('bull') ? new RedisServer(this.chronicle) : null;
  }

  async start(): Promise<void> {
    await Promise.all([this.postgres.start(), this.redis?.start(), this.provider.start()]);
    const { url } = this.provider;
    const dataDir = this.chronicle.directory;
    const rails = { CUSTODIAL_A_URL: url, CLAIM_RAIL_URL: url, SWAP_RAIL_URL: url };
    const env = { LOG_LEVEL: 'warn', ...UNHURRIED, ...rails };
    const settings = { databaseUrl: this.postgres.url, redisUrl: this.redis?.url, dataDir, env };
    await this.gateways.start(ROLES[this.topology], settings);
    this.operatorToken = readFileSync(join(dataDir, 'operator.token'), 'utf8').trim();
    this.provider.notify(this.gateways.urls);
  }

  /** Everything is there again, and behaves. */
  async heal(): Promise<void> {
    this.provider.mend();
    await Promise.all([this.redis?.restart(), this.postgres.isUp()]);
    await this.gateways.allUp();
    this.chronicle.note('everything', 'is healed');
  }

  async stop(): Promise<void> {
    await this.gateways.stop();
    await Promise.all([this.provider.stop(), this.redis?.stop(), this.postgres.stop()]);
  }

  forget(): void {
    rmSync(this.chronicle.directory, { recursive: true, force: true });
  }
}
