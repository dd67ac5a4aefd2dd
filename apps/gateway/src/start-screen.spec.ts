import { loadConfig } from '#libs/config';
import { startScreen } from './start-screen';

const DATABASE_URL = 'postgres://localhost/gateway';
const SECRETS = {
  OPERATOR_TOKEN: 'b7e19c02d4f86a35e0c1b29d7f48a6530f9e8d7c6b5a4132',
  MASTER_KEY: '9f2c4e1ab07d6835c1e4f09ab2d3746558e1c0af93b27d4416af0859cb3e72d1',
};
const PRODUCTION = { NODE_ENV: 'production', PUBLIC_URL: 'https://pay.example', DATABASE_URL };

function screen(
  environment: Record<string, string>,
  queueTrouble: string | null = null,
  runtime: string | null = null,
): string {
  const config = { ...loadConfig({ ...SECRETS, ...environment }), databaseUrl: DATABASE_URL };
  return startScreen(config, { demo: null, embedded: false, queueTrouble, runtime, ms: 1 });
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

  test.each([PRODUCTION, { ROLE: 'worker' }])('with %j does not offer a demo that fails', (environment) => {
    expect(screen(environment)).not.toContain('npm run demo');
  });

  test('names each port', () => {
    const ports = { WORKER_PORT: '4000', OPERATOR_PORT: '4001', METRICS_PORT: '4002' };
    expect(screen(ports)).toMatch(
      /operators +http:\/\/localhost:4001\/operator\/v1\n +metrics +http:\/\/localhost:4002/,
    );
    const worker = screen({ ...ports, ROLE: 'worker' });
    expect(worker).toMatch(
      /health +http:\/\/localhost:4000\/health\/ready\n +metrics +http:\/\/localhost:4002\/metrics/,
    );
    expect(worker).not.toContain('4001');
  });

  test('says when another Node should run it', () => {
    expect(screen({}, null, 'Node 20 is old')).toMatch(/runtime +Node 20 is old\n/);
    expect(screen({})).not.toContain('runtime');
  });

  test('says when Redis does not answer', () => {
    const REDIS_URL = 'redis://localhost:1';
    expect(screen({ REDIS_URL })).toMatch(/queue +Bull on Redis\n/);
    expect(screen({ REDIS_URL }, 'redis does not answer')).toMatch(/queue .*REDIS_URL does not answer; work goes on/);
  });
});
