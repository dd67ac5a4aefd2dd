import { portsOf } from './ports';

const DEVELOPMENT = {
  production: false,
  role: 'all',
  port: 3000,
  workerPort: null,
  operatorPort: null,
  metricsPort: null,
} as const;
type Settings = Parameters<typeof portsOf>[0];

const ports = (settings: Partial<Settings> = {}): Record<string, string> =>
  Object.fromEntries(
    portsOf({ ...DEVELOPMENT, ...settings }).map(({ setting, number, serves }) => [
      `${setting} ${number}`,
      [...serves].sort().join(' '),
    ]),
  );

const ALL = 'callers health metrics operators reference';

describe('what is served at which port', () => {
  test.each<[Partial<Settings>, Record<string, string>]>([
    [{}, { 'PORT 3000': ALL }],
    [{ production: true }, { 'PORT 3000': 'callers health operators reference' }],
    [{ metricsPort: 1 }, { 'PORT 3000': ALL, 'METRICS_PORT 1': 'health metrics' }],
    [
      { production: true, role: 'api', metricsPort: 1, operatorPort: 2 },
      {
        'PORT 3000': 'callers health reference',
        'OPERATOR_PORT 2': 'health operators reference',
        'METRICS_PORT 1': 'health metrics',
      },
    ],
    [{ role: 'worker' }, {}],
    [{ role: 'worker', production: true, workerPort: 4, operatorPort: 2 }, { 'WORKER_PORT 4': 'health metrics' }],
    [
      { role: 'worker', workerPort: 4, metricsPort: 1 },
      { 'WORKER_PORT 4': 'health metrics', 'METRICS_PORT 1': 'health metrics' },
    ],
  ])('%j', (settings, served) => expect(ports(settings)).toEqual(served));
});
