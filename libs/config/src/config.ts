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
  metricsPort: number | null;
  operatorPort: number | null;
  proxyHops: number;
  maxConnections: number;
  maxConnectionsPerAddress: number;
  bodyMemoryMib: number;
  publicUrl: string;
  dataDir: string;
  databaseUrl: string | null;
  databasePool: number;
  /** Whether a standby that is promoted may lack what was committed. */
  databaseFailover: 'may_lose' | 'loses_nothing';
  redisUrl: string | null;
  role: Role;
  stopGraceSeconds: number;
  deployment: string;
  operatorToken: string;
  /** 64 hex digits each; the first one seals, all of them open. */
  masterKeys: string[];
  smtpUrl: string | null;
  mailFrom: string;
  mailsPerAddress: number;
  mailsPerClient: number;
  /** 0: for ever. */
  eventsKeptDays: number;
  /** 0: for ever. */
  mailsKeptDays: number;
  noticesKeptDays: number;
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
  const production = environment.NODE_ENV === 'production';
  if (value === null && setting.requiredInProduction && production)
    throw new ConfigError(`${name} is not set. In production it ${setting.shape}.`);
  if (value !== null && !setting.accepts(value)) throw new ConfigError(`${name} ${setting.shape}.`);
  if (value !== null && production && setting.inProduction?.accepts(value) === false)
    throw new ConfigError(`${name} ${setting.inProduction.shape}.`);
  return value;
}

/** Nobody's money goes into a database that is there only because a setting was forgotten. */
function refuseUnaskedDatabase({ NODE_ENV, DATABASE_URL, EMBEDDED_DATABASE }: SettingValues): void {
  if (NODE_ENV !== 'production') return;
  if (DATABASE_URL === null && EMBEDDED_DATABASE !== 'true')
    throw new ConfigError(
      'DATABASE_URL is not set. In production it must be a URL that begins with postgres://, ' +
        'or EMBEDDED_DATABASE must be true for the embedded PostgreSQL under DATA_DIR.',
    );
  if (DATABASE_URL !== null && EMBEDDED_DATABASE === 'true')
    throw new ConfigError('EMBEDDED_DATABASE must be false where DATABASE_URL is set: unset one of them.');
}

/** The token is sent with each request of an operator's. Who reads along must not hold the key of every secret at rest. */
function refuseSharedSecrets({ NODE_ENV, OPERATOR_TOKEN, MASTER_KEY }: SettingValues): void {
  const token = OPERATOR_TOKEN ?? '';
  const keys = MASTER_KEY?.toLowerCase().split(',') ?? [];
  if (NODE_ENV === 'production' && token !== '' && keys.some((key) => isMadeOf(token, key)))
    throw new ConfigError('OPERATOR_TOKEN must be another secret than MASTER_KEY.');
}

/** The key in whichever way it is written, or a part of it. */
function isMadeOf(token: string, key: string): boolean {
  const bytes = Buffer.from(key, 'hex');
  const inHex = token.toLowerCase();
  const written = (['base64', 'base64url'] as const).map((encoding) => bytes.toString(encoding).replace(/=+$/, ''));
  return (
    inHex.includes(key) || key.includes(inHex) || written.some((one) => token.includes(one) || one.includes(token))
  );
}

/** Each surface has a port of its own, or none. */
function refuseSharedPorts(values: SettingValues): void {
  const own = values.ROLE === 'worker' ? (['WORKER_PORT'] as const) : (['PORT', 'OPERATOR_PORT'] as const);
  const taken = new Map<string, string>();
  for (const name of [...own, 'METRICS_PORT'] as const) {
    const port = values[name];
    if (port === null) continue;
    const other = taken.get(port);
    if (other) throw new ConfigError(`${name} must be another port than ${other}.`);
    taken.set(port, name);
  }
}

export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const values = Object.fromEntries(
    (Object.keys(SETTINGS) as SettingName[]).map((name) => [name, read(environment, name)]),
  ) as SettingValues;
  refuseUnaskedDatabase(values);
  refuseSharedPorts(values);
  refuseSharedSecrets(values);
  const dataDir = resolve(values.DATA_DIR ?? '');
  const secrets = developmentSecrets(dataDir, values);
  return {
    production: values.NODE_ENV === 'production',
    port: Number(values.PORT),
    host: values.HOST ?? '',
    workerPort: portOf(values.WORKER_PORT),
    metricsPort: portOf(values.METRICS_PORT),
    operatorPort: portOf(values.OPERATOR_PORT),
    proxyHops: Number(values.PROXY_HOPS),
    maxConnections: Number(values.MAX_CONNECTIONS),
    maxConnectionsPerAddress: Number(values.MAX_CONNECTIONS_PER_ADDRESS),
    bodyMemoryMib: Number(values.BODY_MEMORY_MIB),
    publicUrl: (values.PUBLIC_URL ?? `http://localhost:${values.PORT}`).replace(/\/+$/, ''),
    dataDir,
    databaseUrl: values.DATABASE_URL,
    databasePool: Number(values.DATABASE_POOL),
    databaseFailover: values.DATABASE_FAILOVER as Config['databaseFailover'],
    redisUrl: values.REDIS_URL,
    role: values.ROLE as Role,
    stopGraceSeconds: Number(values.STOP_GRACE_SECONDS),
    deployment: values.DEPLOYMENT ?? '',
    operatorToken: secrets.operatorToken,
    masterKeys: secrets.masterKey.toLowerCase().split(','),
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM ?? '',
    mailsPerAddress: Number(values.MAILS_PER_ADDRESS),
    mailsPerClient: Number(values.MAILS_PER_CLIENT),
    eventsKeptDays: Number(values.EVENTS_KEPT_DAYS),
    mailsKeptDays: Number(values.MAILS_KEPT_DAYS),
    noticesKeptDays: Number(values.NOTICES_KEPT_DAYS),
    rateLimitPerMinute: Number(values.RATE_LIMIT_PER_MINUTE),
    authFailuresPerMinute: Number(values.AUTH_FAILURES_PER_MINUTE),
    logLevel: values.LOG_LEVEL ?? '',
    singleCapCents: Number(values.SINGLE_CAP_CENTS),
    dailyCapCents: Number(values.DAILY_CAP_CENTS),
    environment,
  };
}

const portOf = (value: string | null): number | null => (value === null ? null : Number(value));
