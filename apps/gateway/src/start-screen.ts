/** The text a person sees when the service is up: where it is, what to try. */
import type { ResolvedConfig } from './app.module';
import type { ProvisionedClient } from '#libs/operator';
import { type Port, portsOf } from './ports';

const useColour = process.stdout.isTTY;
const bold = (text: string): string => (useColour ? `\u001b[1m${text}\u001b[0m` : text);
const dim = (text: string): string => (useColour ? `\u001b[2m${text}\u001b[0m` : text);

export interface Started {
  demo: ProvisionedClient | null;
  embedded: boolean;
  queueTrouble: string | null;
  /** Why another Node should run it. */
  runtime: string | null;
  ms: number;
}

export function startScreen(config: ResolvedConfig, { demo, embedded, queueTrouble, runtime, ms }: Started): string {
  const rows: [string, string][] = [
    ...addressRows(config),
    ['role', config.role],
    ['database', embedded ? embeddedRow(config) : 'PostgreSQL at DATABASE_URL'],
    ['queue', queueRow(config, queueTrouble)],
    ['operator token', `${config.dataDir}/operator.token`],
  ];
  if (config.production || config.environment.OPERATOR_TOKEN) rows.pop();
  if (runtime) rows.push(['runtime', runtime]);
  if (demo) {
    rows.push(['demo client', demo.client.name], ['API key', demo.apiKey], ['signing secret', demo.signingSecret]);
  }
  return [
    '',
    `  ${bold('Payout Gateway')} is ready ${dim(`after ${(ms / 1000).toFixed(1)} s`)}`,
    '',
    ...rows.map(([name, value]) => `  ${dim(name.padEnd(15))} ${value}`),
    ...(demo ? ['', `  ${dim('The key and the secret are shown this once.')}`] : []),
    '',
    ...(canDemo(config) ? [`  Try next, in another terminal: ${bold(demoCommand(config))}`] : []),
    `  Stop with Ctrl-C.`,
    '',
  ].join('\n');
}

/** A worker serves nobody but whoever watches it. */
function addressRows(config: ResolvedConfig): [string, string][] {
  const { role, publicUrl } = config;
  const at = (setting: Port['setting']): string | null => {
    const port = portsOf(config).find((one) => one.setting === setting);
    return port ? `http://localhost:${port.number}` : null;
  };
  const [worker, operators, metrics] = [at('WORKER_PORT'), at('OPERATOR_PORT'), at('METRICS_PORT')];
  return [
    ...(worker ? [['health', `${worker}/health/ready`] as [string, string]] : []),
    ...(role === 'worker'
      ? []
      : ([
          ['address', publicUrl],
          ['API reference', `${publicUrl}/docs`],
        ] as [string, string][])),
    ...(operators ? [['operators', `${operators}/operator/v1`] as [string, string]] : []),
    ...(metrics ? [['metrics', `${metrics}/metrics`] as [string, string]] : []),
  ];
}

function embeddedRow({ databaseUrl, dataDir }: ResolvedConfig): string {
  return `embedded PostgreSQL on port ${new URL(databaseUrl).port}, data under ${dataDir}`;
}

function queueRow({ redisUrl }: ResolvedConfig, trouble: string | null): string {
  if (!redisUrl) return 'embedded, on PostgreSQL';
  return trouble ? 'on PostgreSQL alone: Redis at REDIS_URL does not answer; work goes on without it' : 'Bull on Redis';
}

/** The demo needs the API, and webhooks to this machine, which production refuses. */
function canDemo({ production, role }: ResolvedConfig): boolean {
  return !production && role !== 'worker';
}

/** With what the other terminal has to know: where the service is, and its operator token. */
function demoCommand({ environment }: ResolvedConfig): string {
  const address = environment.PUBLIC_URL ? 'PUBLIC_URL' : 'PORT';
  const settings = [address, 'DATA_DIR'].filter((name) => environment[name]);
  const words = settings.map((name) => `${name}=${quoted(environment[name] ?? '')}`);
  if (environment.OPERATOR_TOKEN) words.push('OPERATOR_TOKEN=…');
  return [...words, 'npm run demo'].join(' ');
}

function quoted(value: string): string {
  return /^[\w./:@-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}
