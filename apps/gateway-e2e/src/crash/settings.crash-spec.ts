/** Settings that change what a process does at its edge, each seen on a process that has it. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { send } from '../harness/api';
import { newDatabase } from '../harness/database';
import { freePort } from '../harness/free-port';
import { GatewayProcess, type GatewaySettings } from '../harness/gateway-process';

describe('settings', () => {
  const started: GatewayProcess[] = [];
  const start = async (role: GatewaySettings['role'], env: Record<string, string>): Promise<GatewayProcess> => {
    const dataDir = mkdtempSync(join(tmpdir(), 'gw-settings-'));
    const gateway = await GatewayProcess.start({ role, databaseUrl: await newDatabase(), dataDir, env });
    started.push(gateway);
    return gateway;
  };
  afterAll(() => Promise.all(started.map((gateway) => gateway.kill('SIGTERM'))));

  test('WORKER_PORT: a worker answers its health and its metrics there, and nothing else', async () => {
    const port = await freePort();
    await start('worker', { WORKER_PORT: String(port) });
    const statuses = await Promise.all(
      ['/health/live', '/health/ready', '/metrics', '/api/v1/payees', '/docs', '/operator/v1/clients'].map(
        async (path) => (await send(`http://127.0.0.1:${port}${path}`, 'GET', {})).status,
      ),
    );
    expect(statuses).toEqual([200, 200, 200, 404, 404, 404]);
  });

  const TOKEN = 'b7e19c02d4f86a35e0c1b29d7f48a6530f9e8d7c6b5a4132';
  const PRODUCTION = {
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://pay.example',
    OPERATOR_TOKEN: TOKEN,
    MASTER_KEY: '9f2c4e1ab07d6835c1e4f09ab2d3746558e1c0af93b27d4416af0859cb3e72d1',
  };
  const PATHS = ['/health/live', '/metrics', '/api/v1/payees', '/operator/v1/clients', '/openapi.json'];
  const statusesAt = (url: string): Promise<number[]> =>
    Promise.all(PATHS.map(async (path) => (await send(`${url}${path}`, 'GET', {})).status));
  const at = (port: number): string => `http://127.0.0.1:${port}`;

  test('METRICS_PORT and OPERATOR_PORT: each surface is where it was put, and nowhere else', async () => {
    const [metrics, operators] = [await freePort(), await freePort()];
    const moved = { METRICS_PORT: String(metrics), OPERATOR_PORT: String(operators) };
    const gateway = await start('all', { ...PRODUCTION, ...moved });
    expect(await statusesAt(gateway.url)).toEqual([200, 404, 401, 404, 200]);
    expect(await statusesAt(at(operators))).toEqual([200, 404, 404, 401, 200]);
    expect(await statusesAt(at(metrics))).toEqual([200, 200, 404, 404, 404]);
    const authorization = `Bearer ${TOKEN}`;
    expect((await send(`${at(operators)}/operator/v1/clients`, 'GET', { authorization })).status).toBe(200);
    const shown = async (url: string): Promise<object> =>
      (await send(`${url}/openapi.json`, 'GET', { authorization })).body.paths;
    expect(await shown(at(operators))).toHaveProperty(['/operator/v1/clients']);
    expect(await shown(gateway.url)).not.toHaveProperty(['/operator/v1/clients']);
    // Which methods a path takes is told where it is served.
    for (const [url, status] of [
      [gateway.url, 404],
      [at(operators), 405],
    ] as const)
      expect((await send(`${url}/operator/v1/master-key/rewrap`, 'GET', {})).status).toBe(status);
    expect(await gateway.kill('SIGTERM')).toBe(0); // however many ports it has
  });

  test('in production metrics are not on PORT, and only operators are shown that there are operators', async () => {
    const gateway = await start('api', PRODUCTION);
    expect(await statusesAt(gateway.url)).toEqual([200, 404, 401, 401, 200]);
    const read = (path: string, headers: Record<string, string> = {}) => send(`${gateway.url}${path}`, 'GET', headers);
    const pathsOf = async (headers: Record<string, string> = {}): Promise<string[]> =>
      Object.keys((await read('/openapi.json', headers)).body.paths);
    const isTheirs = (path: string): boolean => path.startsWith('/operator');
    const root = { authorization: `Bearer ${TOKEN}` };
    expect((await pathsOf()).filter(isTheirs)).toEqual([]);
    expect((await pathsOf(root)).filter(isTheirs)).not.toEqual([]);
    expect((await read('/openapi.json', { authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await pathsOf({ authorization: 'Bearer gw_live_key' })).filter(isTheirs)).toEqual([]); // a client's, sent with everything
    expect(JSON.stringify((await read('/docs/callers.json')).body)).not.toContain('/operator/v1');
    for (const path of ['/docs/operators', '/docs/operators.json']) {
      expect((await read(path)).status).toBe(404);
      expect((await read(path, root)).status).toBe(200);
    }
    expect((await read('/docs')).body).not.toContain('operators');
    expect((await read('/dev/design')).status).toBe(404);
    const viewer = await fetch(`${gateway.url}/operator/v1/operators`, {
      method: 'POST',
      headers: { ...root, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'grace', role: 'viewer' }),
    });
    const { token } = (await viewer.json()) as { token: string };
    expect((await pathsOf({ authorization: `Bearer ${token}` })).filter(isTheirs)).not.toEqual([]);
  });

  test('in development metrics and the whole reference are on PORT too', async () => {
    const metrics = await freePort();
    const gateway = await start('api', { METRICS_PORT: String(metrics) });
    expect(await statusesAt(gateway.url)).toEqual([200, 200, 401, 401, 200]);
    expect((await send(`${gateway.url}/openapi.json`, 'GET', {})).body.paths).toHaveProperty(['/operator/v1/clients']);
    expect(await statusesAt(at(metrics))).toEqual([200, 200, 404, 404, 404]);
  });

  test.each([
    ['OPERATOR_TOKEN', 'x'],
    ['MASTER_KEY', '0'.repeat(64)],
    ['PUBLIC_URL', ''],
    ['DATABASE_URL', ''],
  ])('production does not start with %s=%p', async (name, value) => {
    await expect(start('api', { ...PRODUCTION, [name]: value })).rejects.toThrow(`payout gateway: ${name} `);
  });

  test.each([
    ['0', 429],
    ['1', 401],
  ])('PROXY_HOPS=%s: failures behind one proxy', async (hops, another) => {
    const gateway = await start('api', { PROXY_HOPS: hops, AUTH_FAILURES_PER_MINUTE: '1' });
    const fail = async (address: string): Promise<number> =>
      (await send(`${gateway.url}/api/v1/payees`, 'GET', { 'x-forwarded-for': address })).status;
    const first = [await fail('203.0.113.1'), await fail('203.0.113.1')];
    expect(first).toEqual([401, 429]);
    expect(await fail('203.0.113.2')).toBe(another);
    // What a caller writes itself stands further from us than what the proxy adds.
    expect(await fail('203.0.113.9, 203.0.113.1')).toBe(429);
  });
});
