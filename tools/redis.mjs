// A real Redis for the tests, on a free loopback port, that goes when its starter goes.
import { spawn, spawnSync } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { say } from './terminal.mjs';
import { endWithUs } from './watcher.mjs';

const READY_TRIES = 200;
const PAUSE_MS = 25;

/** Returns { url, stop } or, if there is no Redis to be had, { missing: why }. */
export async function startRedis(directory) {
  const missing = ensureRedis();
  if (missing) return { missing };
  const port = await freePort();
  const redis = spawn(
    'redis-server',
    ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no', '--dir', directory],
    { stdio: 'ignore', detached: true },
  );
  const exited = new Promise((resolve) => redis.once('exit', resolve).once('error', resolve));
  endWithUs(redis, redis.pid);
  await answers(port, redis);
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: async () => {
      redis.kill('SIGTERM');
      await exited;
    },
  };
}

/** Null, or why there is none. */
export function ensureRedis() {
  if (hasProgram('redis-server')) return null;
  if (process.getuid?.() !== 0 || !hasProgram('apt-get'))
    return 'redis-server is not installed, and installing it needs root and apt-get';
  say('Installing redis-server with apt-get …');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update', '-qq'], { env, stdio: 'ignore' });
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'redis-server'], { env, stdio: 'ignore' });
  return hasProgram('redis-server') ? null : 'redis-server is not installed, and apt-get could not install it';
}

function hasProgram(name) {
  return spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0;
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

async function answers(port, redis) {
  for (let turn = 0; turn < READY_TRIES && redis.exitCode === null; turn++) {
    if (await ping(port)) return;
    await pause(PAUSE_MS);
  }
  throw new Error(`redis-server did not start on port ${port}: run it by hand to see why.`);
}

function ping(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.once('data', (text) => socket.destroy() && resolve(String(text).startsWith('+PONG')));
    socket.once('error', () => resolve(false));
  });
}
