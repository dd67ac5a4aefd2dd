// Gateway processes with the stand-in rails, as an operator would start them, on a database of their own.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RUNTIME_FLAGS } from '../runtime-flags.mjs';
import { startChild } from './children.mjs';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const MAIN = 'dist/apps/gateway/testing/main-with-stand-ins.js';
const READY_MS = 30_000;

export async function startGateway(stage, { role, databaseUrl }) {
  const port = await freePort();
  const flags = [...RUNTIME_FLAGS, ...(stage.profiles ? ['--inspect=127.0.0.1:0'] : [])];
  const child = startChild(stage, [stage.node, ...flags, MAIN], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      ROLE: role,
      DATABASE_URL: databaseUrl,
      DATA_DIR: stage.directory,
      RATE_LIMIT_PER_MINUTE: '10000000',
      LOG_LEVEL: 'warn',
    },
  });
  await ready(child, 'is ready');
  const url = `http://127.0.0.1:${port}`;
  return { port, role, pid: child.process.pid, url, stop: child.stop, output: () => child.output };
}

export async function startBareNest(stage, { key, secret, clientId }, databaseUrl) {
  const port = await freePort();
  const known = { GATEWAY_KEY: key, GATEWAY_SECRET: secret, CLIENT_ID: clientId, DATABASE_URL: databaseUrl };
  const env = { PATH: process.env.PATH, PORT: String(port), ...known };
  const child = startChild(stage, [stage.node, 'tools/bench/bare-nest.mjs'], { cwd: ROOT, env });
  await ready(child, 'is ready');
  return { port, stop: child.stop };
}

export async function startReceiver(stage, hosts = 1) {
  const port = await freePort();
  const env = { PATH: process.env.PATH, PORT: String(port), HOSTS: String(hosts) };
  const child = startChild(stage, [process.execPath, 'tools/bench/webhooks/receiver.mjs'], { cwd: ROOT, env });
  await ready(child, 'is ready');
  const arrivals = async () => (await fetch(`http://127.0.0.1:${port}/`)).json();
  return { port, arrivals, stop: child.stop };
}

/** Made by the first process that starts on the stage's directory. */
export function operatorToken(stage) {
  return readFileSync(join(stage.directory, 'operator.token'), 'utf8').trim();
}

function ready(child, sign) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(complain, READY_MS, 'was not ready in time');
    function complain(what) {
      clearTimeout(timer);
      reject(new Error(`A process ${what}:\n${child.output.trim()}`));
    }
    child.process.stdout.on('data', () => child.output.includes(sign) && resolve(clearTimeout(timer)));
    void child.ended.then((code) => complain(`ended with ${code} while it started`));
  });
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
