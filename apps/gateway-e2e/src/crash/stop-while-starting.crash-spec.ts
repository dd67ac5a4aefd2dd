/** A process that is asked to stop while it starts listens, and ends. The first process of a container ends by nothing else. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newDatabase, query } from '../harness/database';
import { freePort } from '../harness/free-port';
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

  const database = (): string => `postgres://nobody@127.0.0.1:${(silent.address() as AddressInfo).port}/nothing`;

  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('ends by itself at a %s', async (signal, code) => {
    const env = {
      ...process.env,
      DATABASE_URL: database(),
      PORT: String(await freePort()),
    };
    const started = once(silent, 'connection');
    child = spawn(process.execPath, ['dist/apps/gateway/src/main.js'], { cwd: ROOT, env, stdio: 'ignore' });
    const ended = once(child, 'exit');
    // If it cannot even begin, its end says so.
    await Promise.race([started, ended]);
    child.kill(signal);
    expect(await ended).toEqual([code, null]);
  });

  test('hears a SIGTERM that came while its modules were loaded', async () => {
    const hook = `
      const Module = require('node:module');
      const load = Module._load;
      Module._load = function (name, ...rest) {
        if (name === '@nestjs/core') process.kill(process.pid, 'SIGTERM');
        return load.call(this, name, ...rest);
      };`;
    const { ending } = await stoppedAt(hook, { DATABASE_URL: database() });
    expect(ending).toEqual([143, null]);
  });
});

test('a process that is asked to stop after its work began, and before it is ready, gives back what it took', async () => {
  const databaseUrl = await newDatabase();
  const hook = `
    const { Server } = require('node:http');
    const { listen } = Server.prototype;
    Server.prototype.listen = function (...where) {
      process.kill(process.pid, 'SIGTERM');
      process.once('SIGTERM', () => setImmediate(() => listen.apply(this, where)));
      return this;
    };`;
  const { ending, output } = await stoppedAt(hook, { DATABASE_URL: databaseUrl });
  expect(ending).toEqual([0, null]);
  expect(output).toContain('"event":"jobs.stopped"');
  expect(output).toContain('"event":"stop.done"');
  expect(await query(databaseUrl, 'SELECT FROM jobs WHERE lease_token IS NOT NULL')).toEqual([]);
});

/** What a process does with a SIGTERM that it gets at a place of its start, which `hook` waits for. */
async function stoppedAt(hook: string, env: Record<string, string>): Promise<{ ending: unknown[]; output: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gw-start-'));
  const preload = join(dataDir, 'hook.js');
  writeFileSync(preload, hook);
  const given = {
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    LOG_LEVEL: 'info',
    ...env,
  };
  const child = spawn(process.execPath, ['--require', preload, 'dist/apps/gateway/src/main.js'], {
    cwd: ROOT,
    env: given,
  });
  let output = '';
  child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()));
  return { ending: await once(child, 'close'), output };
}
