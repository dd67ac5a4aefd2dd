// `npm run demo -- --rails`: one person paid over each rail, by a gateway and simulated providers that this brings along. All of
// it is in a folder of its own and gone at the end; with `--stay` it runs on until Ctrl-C.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from '../build.mjs';
import { ensureInstalled } from '../install.mjs';
import { cyan, dim, heading, say } from '../terminal.mjs';
import { startCatcher } from './catcher.mjs';
import { payByClaimRail } from './rails/claim-rail.mjs';
import { payByCustodialA } from './rails/custodial-a.mjs';
import { payByCustodialB } from './rails/custodial-b.mjs';
import { payByGiftRail } from './rails/gift-rail.mjs';
import { payBySwapRail } from './rails/swap-rail.mjs';
import { detail, step, timed } from './steps.mjs';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const STARTS_WITHIN_MS = 120_000;

/** Which country is paid over which rail, and how that goes. */
const RAILS = [
  { rail: 'claim_rail', country: 'DE', pay: payByClaimRail },
  { rail: 'custodial_a', country: 'FR', pay: payByCustodialA },
  { rail: 'custodial_b', country: 'NL', pay: payByCustodialB },
  { rail: 'gift_rail', country: 'ES', pay: payByGiftRail },
  { rail: 'swap_rail', country: 'IT', pay: payBySwapRail },
];

export async function demoOfRails({ stays }) {
  ensureInstalled();
  ensureBuilt();
  const folder = mkdtempSync(join(tmpdir(), 'payout-gateway-rails-'));
  const running = [];
  const catcher = await startCatcher();
  try {
    const world = await start(folder, running);
    const client = await newLiveClient(world, catcher);
    for (const { country, pay } of RAILS) await pay({ ...world, ...client, catcher, country });
    await sayEnd(world, stays);
  } finally {
    catcher.stop();
    for (const child of running.reverse()) await stopped(child);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function start(folder, running) {
  heading('People paid over real rails, by simulated providers');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = (path, words, env) => {
    const child = spawn(process.execPath, ['--enable-source-maps', join(ROOT, 'dist/apps', path), ...words], { env });
    running.push(child);
    return child;
  };
  const places = ['--port', '0', '--books', join(folder, 'books'), '--gateway', url, '--processing-ms', '500'];
  const sandbox = await timed(() => printed(program('rail-sandbox/src/main.js', places, {}), /curl (http:\S+)\//));
  const sandboxUrl = sandbox.answer;
  const { providers } = await (await fetch(`${sandboxUrl}/`)).json();
  step('The providers, simulated', 'npm run sandbox', sandbox.ms);
  for (const { rail, url: at } of providers) detail(rail, at);

  const settings = Object.assign({}, ...providers.map((provider) => provider.settings));
  const env = { PATH: process.env.PATH, PORT: String(port), DATA_DIR: join(folder, 'data'), ...settings };
  const gateway = await timed(() => printed(program('gateway/src/main.js', [], env), /(is ready)/));
  step('A gateway that knows them', 'npm start', gateway.ms);
  detail('at', url);
  const token = readFileSync(join(folder, 'data/operator.token'), 'utf8').trim();
  return { url, token, sandboxUrl, providers };
}

async function newLiveClient({ url, token }, catcher) {
  const operator = async (method, path, body) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}/operator/v1${path}`, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`The operator surface answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
  const routes = Object.fromEntries(RAILS.map(({ rail, country }) => [country, [rail]]));
  await operator('PUT', '/routes', { routes });
  const wanted = { name: 'Demo of the rails', testMode: false, statusVersion: 2, webhookUrl: catcher.url };
  const { answer, ms } = await timed(() => operator('POST', '/clients', wanted));
  step('Routes, and a client in live mode', 'PUT /operator/v1/routes, POST /operator/v1/clients', ms);
  for (const [country, [rail]] of Object.entries(routes)) detail(country, rail);
  const { GatewayClient } = createRequire(import.meta.url)('../../dist/libs/sdk/src/index.js');
  const { apiKey, signingSecret } = answer;
  return { gateway: new GatewayClient({ baseUrl: url, apiKey, signingSecret }) };
}

async function sayEnd({ sandboxUrl }, stays) {
  heading('Next');
  say(`  ${cyan('docs/rail-sandbox.md')}  what else can be done at the providers, and what can go wrong there`);
  if (!stays) return say(dim('  All of it is gone now. With `npm run demo -- --rails --stay` it runs on.'));
  say(`  ${cyan(`curl ${sandboxUrl}/`)}  until Ctrl-C`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
}

/** What a program says that matches; its output if it ends before. */
function printed(child, pattern) {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (why) => reject(new Error(`${why}:\n${output}`));
    const timer = setTimeout(() => fail('It did not start in time'), STARTS_WITHIN_MS);
    const look = (chunk) => {
      output += chunk;
      const [, found] = pattern.exec(output) ?? [];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found);
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.once('exit', (code) => fail(`It ended with ${code}`));
  });
}

async function stopped(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}
