/** Newer versions of Node take connections at several sockets of one port: whoever comes new does not wait for a turn of each who came before. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, newClient, signedHeaders } from '../harness/api';
import { newDatabase } from '../harness/database';
import { GatewayProcess } from '../harness/gateway-process';
import { HeldSocket } from '../harness/held-socket';
import { requestBytes } from '../harness/raw-socket';

const RUNTIME = process.env.TEST_RUNTIME ?? process.execPath;
const LISTENS = '0A';

describe('the port of a gateway', () => {
  let gateway: GatewayProcess;
  let dataDir: string;
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'gw-doors-'));
    gateway = await GatewayProcess.start({
      role: 'all',
      databaseUrl: await newDatabase(),
      dataDir,
      env: { STOP_GRACE_SECONDS: '600' },
    });
  });
  afterAll(() => gateway.kill('SIGKILL'));

  /** As the system lists them: local address and port, remote ones, state. */
  const socketsThatListen = (): number => {
    const port = `:${gateway.port.toString(16).toUpperCase().padStart(4, '0')}`;
    const lines = ['tcp', 'tcp6'].flatMap((family) => readFileSync(`/proc/net/${family}`, 'utf8').split('\n'));
    const fields = lines.map((line) => line.trim().split(/\s+/));
    return fields.filter(([, local, , state]) => local?.endsWith(port) && state === LISTENS).length;
  };

  test('has several sockets where Node can share it, and each of many connections is served', async () => {
    const [major] = execFileSync(RUNTIME, ['-p', 'process.versions.node'], { encoding: 'utf8' }).split('.');
    expect(socketsThatListen()).toBe(Number(major) >= 24 ? 8 : 1);
    const asked = Array.from({ length: 64 }, () =>
      fetch(`${gateway.url}/health/live`, { headers: { connection: 'close' } }).then(({ status }) => status),
    );
    expect(new Set(await Promise.all(asked))).toEqual(new Set([200]));
  });

  test('is left at once when its process is asked to stop, whatever is still under way', async () => {
    const operatorToken = readFileSync(join(dataDir, 'operator.token'), 'utf8').trim();
    process.env.E2E_UNDER_TEST = JSON.stringify({ urls: [gateway.url], operatorToken });
    const { key, secret } = await newClient();
    const headers = Object.entries(signedHeaders(key, secret, 'a body')).map(([name, value]) => `${name}: ${value}`);
    const held = await HeldSocket.open(gateway.port);
    held.write(requestBytes('POST', '/api/v1/payees', ['Host: a', 'Content-Length: 6', ...headers]));
    await fetch(`${gateway.url}/health/live`); // what came before it is taken by now
    process.kill(gateway.pid, 'SIGTERM');
    await eventually(
      () => Promise.resolve(socketsThatListen()),
      (count) => count === 0,
    );
    expect(() => process.kill(gateway.pid, 0)).not.toThrow();
    held.socket.destroy();
    expect((await gateway.gone).code).toBe(0);
  });
});
