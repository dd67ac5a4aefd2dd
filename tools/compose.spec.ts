/** What docker/compose.yaml hands on to the processes: a setting that it leaves out cannot be set there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const COMPOSE = readFileSync(join(__dirname, '../docker/compose.yaml'), 'utf8');
const CONFIGURATION = readFileSync(join(__dirname, '../docs/configuration.md'), 'utf8');

/** By the image, by the services' roles, or by what stands between the services. */
const FIXED = ['NODE_ENV', 'HOST', 'PORT', 'WORKER_PORT', 'DATA_DIR', 'ROLE', 'EMBEDDED_DATABASE'];

describe('the compose file', () => {
  test.each(['MASTER_KEY', 'OPERATOR_TOKEN', 'PUBLIC_URL'])('asks for %s', (name) =>
    expect(COMPOSE).toMatch(new RegExp(`^  ${name}: \\$\\{${name}:\\?`, 'm')),
  );

  test('says how many proxies there are, and none by itself', () =>
    expect(COMPOSE).toMatch(/^ {2}PROXY_HOPS: \$\{PROXY_HOPS:-0\}$/m));

  test('hands on every setting that is not fixed there', () => {
    const environment = COMPOSE.slice(COMPOSE.indexOf('x-environment:'), COMPOSE.indexOf('\nservices:'));
    const named = [...environment.matchAll(/^ {2}([A-Z_0-9]+):/gm)].map(([, name]) => name);
    const settings = [...CONFIGURATION.matchAll(/^\| `([A-Z_0-9]+)` /gm)].map(([, name = '']) => name);
    expect(settings.length).toBeGreaterThan(40);
    expect(settings.filter((name) => !named.includes(name) && !FIXED.includes(name))).toEqual([]);
    expect(named.filter((name) => !settings.includes(name ?? ''))).toEqual([]);
  });

  test('knows whether each process is well, and which version of each image it is', () => {
    const services = COMPOSE.slice(COMPOSE.indexOf('\nservices:'), COMPOSE.indexOf('\nvolumes:'));
    const names = [...services.matchAll(/^ {2}(\w+):$/gm)].map(([, name]) => name);
    expect(names).toEqual(['api', 'worker', 'postgres', 'redis']);
    expect(services.match(/^ {4}healthcheck:$/gm)).toHaveLength(names.length);
    expect(services.match(/^ {4}image: \S+:\d+\.\d+[\w.-]*$/gm)).toHaveLength(2);
  });

  test('publishes the API’s port only', () => {
    expect(COMPOSE.match(/^ +ports:.*$/gm)).toEqual([`    ports: ['\${PORT:-3000}:3000']`]);
    expect(COMPOSE).toMatch(/^ {2}METRICS_PORT: (?!3000)\d+$/m);
  });
});
