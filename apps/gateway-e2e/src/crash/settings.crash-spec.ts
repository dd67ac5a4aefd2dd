/** Settings that change what a process does at its edge, each seen on a process that has it. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { send } from '../harness/api';
import { newDatabase } from '../harness/database';
import { freePort, GatewayProcess, type GatewaySettings } from '../harness/gateway-process';

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
