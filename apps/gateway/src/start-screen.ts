/** What a person sees when the service is up: where it is, what to try. Only on a terminal or in development. */
import type { ResolvedConfig } from './app.module';
import type { ProvisionedClient } from '#libs/operator';

const useColour = process.stdout.isTTY;
const bold = (text: string): string => (useColour ? `\u001b[1m${text}\u001b[0m` : text);
const dim = (text: string): string => (useColour ? `\u001b[2m${text}\u001b[0m` : text);

export function startScreen(
  config: ResolvedConfig,
  demo: ProvisionedClient | null,
  embedded: boolean,
  ms: number,
): string {
  const rows: [string, string][] = [
    ['address', config.publicUrl],
    ['API reference', `${config.publicUrl}/docs`],
    ['role', config.role],
    ['database', embedded ? `embedded PostgreSQL, data under ${config.dataDir}` : 'PostgreSQL at DATABASE_URL'],
    ['queue', config.redisUrl ? 'Bull on Redis' : 'embedded, on PostgreSQL'],
    ['operator token', `${config.dataDir}/operator.token`],
  ];
  if (config.production || config.environment.OPERATOR_TOKEN) rows.pop();
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
    `  Try next, in another terminal: ${bold('npm run demo')}`,
    `  Stop with Ctrl-C.`,
    '',
  ].join('\n');
}
