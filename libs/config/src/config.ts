/** The service's configuration, checked once. This file is the only one that reads the environment. */
import { resolve } from 'node:path';
import { ConfigError } from './data-dir';
import { developmentSecrets } from './development-secrets';
import { type Setting, type SettingName, SETTINGS, type SettingValues } from './settings';

export type Role = 'all' | 'api' | 'worker';

export interface Config {
  production: boolean;
  port: number;
  host: string;
  workerPort: number | null;
  proxyHops: number;
  maxConnections: number;
  maxConnectionsPerAddress: number;
  bodyMemoryMib: number;
  publicUrl: string;
  dataDir: string;
  databaseUrl: string | null;
  databasePool: number;
  redisUrl: string | null;
  role: Role;
  stopGraceSeconds: number;
  deployment: string;
  operatorToken: string;
  /** 64 hex digits each; the first one seals, all of them open. */
  masterKeys: string[];
  smtpUrl: string | null;
  mailFrom: string;
  rateLimitPerMinute: number;
  authFailuresPerMinute: number;
  logLevel: string;
  singleCapCents: number;
  dailyCapCents: number;
  /** The settings the rails declared, as they stand in the environment. */
  environment: Readonly<Record<string, string | undefined>>;
}

/** An empty value counts as unset, as people write `PORT=` to clear one. */
function read(environment: NodeJS.ProcessEnv, name: SettingName): string | null {
  const setting: Setting = SETTINGS[name];
  const value = environment[name] || setting.default;
  if (value === null && setting.requiredInProduction && environment.NODE_ENV === 'production')
    throw new ConfigError(`${name} is not set. In production it ${setting.shape}.`);
  if (value !== null && !setting.accepts(value)) throw new ConfigError(`${name} ${setting.shape}.`);
  return value;
}

export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const values = Object.fromEntries(
    (Object.keys(SETTINGS) as SettingName[]).map((name) => [name, read(environment, name)]),
  ) as SettingValues;
  const dataDir = resolve(values.DATA_DIR ?? '');
  const secrets = developmentSecrets(dataDir, values);
  return {
    production: values.NODE_ENV === 'production',
    port: Number(values.PORT),
    host: values.HOST ?? '',
    workerPort: values.WORKER_PORT === null ? null : Number(values.WORKER_PORT),
    proxyHops: Number(values.PROXY_HOPS),
    maxConnections: Number(values.MAX_CONNECTIONS),
    maxConnectionsPerAddress: Number(values.MAX_CONNECTIONS_PER_ADDRESS),
    bodyMemoryMib: Number(values.BODY_MEMORY_MIB),
    publicUrl: (values.PUBLIC_URL ?? `http://localhost:${values.PORT}`).replace(/\/+$/, ''),
    dataDir,
    databaseUrl: values.DATABASE_URL,
    databasePool: Number(values.DATABASE_POOL),
    redisUrl: values.REDIS_URL,
    role: values.ROLE as Role,
    stopGraceSeconds: Number(values.STOP_GRACE_SECONDS),
    deployment: values.DEPLOYMENT ?? '',
    operatorToken: secrets.operatorToken,
    masterKeys: secrets.masterKey.toLowerCase().split(','),
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM ?? '',
    rateLimitPerMinute: Number(values.RATE_LIMIT_PER_MINUTE),
    authFailuresPerMinute: Number(values.AUTH_FAILURES_PER_MINUTE),
    logLevel: values.LOG_LEVEL ?? '',
    singleCapCents: Number(values.SINGLE_CAP_CENTS),
    dailyCapCents: Number(values.DAILY_CAP_CENTS),
    environment,
  };
}
