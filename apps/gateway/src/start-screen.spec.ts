import { loadConfig } from '#libs/config';
import { startScreen } from './start-screen';

const DATABASE_URL = 'postgres://localhost/gateway';
const SECRETS = { OPERATOR_TOKEN: 'token', MASTER_KEY: 'ab'.repeat(32) };

function screen(environment: Record<string, string>, queueTrouble: string | null = null): string {
  const config = { ...loadConfig({ ...SECRETS, ...environment }), databaseUrl: DATABASE_URL };
  return startScreen(config, { demo: null, embedded: false, queueTrouble, ms: 1 });
}

describe('the start screen', () => {
  test.each([
    [{}, 'OPERATOR_TOKEN=… npm run demo'],
    [{ PORT: '3477' }, 'PORT=3477 OPERATOR_TOKEN=… npm run demo'],
    [{ PORT: '3477', PUBLIC_URL: 'http://gw.test' }, 'PUBLIC_URL=http://gw.test OPERATOR_TOKEN=… npm run demo'],
    [{ DATA_DIR: "it's here" }, "DATA_DIR='it'\\''s here' OPERATOR_TOKEN=… npm run demo"],
  ])('with %j says how the demo finds this service', (environment, command) => {
    expect(screen(environment)).toContain(`in another terminal: ${command}\n`);
  });

  test.each([
    ['NODE_ENV', 'production'],
    ['ROLE', 'worker'],
  ])('with %s=%s does not offer a demo that fails', (name, value) => {
    expect(screen({ [name]: value })).not.toContain('npm run demo');
  });

  test('says when Redis does not answer', () => {
    const REDIS_URL = 'redis://localhost:1';
    expect(screen({ REDIS_URL })).toMatch(/queue +Bull on Redis\n/);
    expect(screen({ REDIS_URL }, 'redis does not answer')).toMatch(/queue .*REDIS_URL does not answer; work goes on/);
  });
});
