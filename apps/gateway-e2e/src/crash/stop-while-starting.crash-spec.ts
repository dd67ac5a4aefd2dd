/** A process that is asked to stop while it starts listens, and ends. The first process of a container ends by nothing else. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { freePort } from '../harness/gateway-process';
import { ROOT } from '../harness/root';

describe('a process that waits for its database as it starts', () => {
  let silent: Server;
  let child: ChildProcess;
  beforeAll(async () => {
    silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
  });
  afterAll(() => {
    child.kill('SIGKILL');
    silent.close();
  });

  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('ends by itself at a %s', async (signal, code) => {
    const { port } = silent.address() as AddressInfo;
    const env = { ...process.env, DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/nothing`, PORT: String(await freePort()) };
    const started = once(silent, 'connection');
    child = spawn(process.execPath, ['dist/apps/gateway/src/main.js'], { cwd: ROOT, env, stdio: 'ignore' });
    const ended = once(child, 'exit');
    // If it cannot even begin, its end says so.
    await Promise.race([started, ended]);
    child.kill(signal);
    expect(await ended).toEqual([code, null]);
  });
});
