/** What docker/compose.yaml hands on to the processes: a setting that it leaves out cannot be set there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const COMPOSE = readFileSync(join(__dirname, '../docker/compose.yaml'), 'utf8');

describe('the compose file', () => {
  test.each(['MASTER_KEY', 'OPERATOR_TOKEN', 'PUBLIC_URL'])('asks for %s', (name) =>
    expect(COMPOSE).toMatch(new RegExp(`^  ${name}: \\$\\{${name}:\\?`, 'm')),
  );

  test('says how many proxies there are, and none by itself', () =>
    expect(COMPOSE).toMatch(/^ {2}PROXY_HOPS: \$\{PROXY_HOPS:-0\}$/m));

  test('publishes the API’s port only', () => {
    expect(COMPOSE.match(/^ +ports:.*$/gm)).toEqual([`    ports: ['\${PORT:-3000}:3000']`]);
    expect(COMPOSE).toMatch(/^ {2}METRICS_PORT: (?!3000)\d+$/m);
  });
});
