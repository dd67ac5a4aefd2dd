// `npm run bench bodies`: for how long the largest and the worst bodies keep a process from everything else, and what
// memory many of them take.
import { lib } from '../docs/compiled.mjs';
import { heading, say, took } from '../terminal.mjs';
import { clientCases, operatorCases, TARGETS } from './bodies/cases.mjs';
import { flood } from './bodies/flood.mjs';
import { Caller } from './caller.mjs';
import { operatorToken, startGateway } from './gateways.mjs';
import { ms, progress, table, verdict, whole } from './report.mjs';
import { Server } from './server.mjs';
import { cpuOf } from './usage.mjs';

const { newToken } = lib('domain');

const DATABASE = 'bench_bodies';
const AIM_MS = 100;
const PAYEES = 1_000;

export async function run(stage) {
  const startedAt = performance.now();
  heading('Preparing');
  progress('starting PostgreSQL, with fsync, and a gateway');
  const server = await Server.start(stage);
  await server.create(DATABASE);
  const gateway = await startGateway(stage, { role: 'all', databaseUrl: server.urlOf(DATABASE) });
  const token = operatorToken(stage);
  const caller = await Caller.register({ url: gateway.url, token, name: 'Bench' });
  await caller.addPayees(gateway.url, PAYEES);
  heading('Sending, one after the other');
  const ask = (method, target, body, headers) =>
    fetch(`${gateway.url}${target}`, { method, body, headers: { 'content-type': 'application/json', ...headers } });
  const asClient = (method, target, body = '') => ask(method, target, body || undefined, caller.headers(body));
  const asOperator = (method, target, body) => ask(method, target, body, { authorization: `Bearer ${token}` });
  const results = [];
  const measure = async (name, send) => results.push(await measured(gateway, name, send));
  for (const [name, ...request] of clientCases(caller.payees)) await measure(name, () => asClient(...request));
  for (const [name, target] of Object.entries(TARGETS)) await measure(name, () => asClient('GET', target));
  for (const [name, ...request] of operatorCases(caller.clientId)) await measure(name, () => asOperator(...request));
  heading('Sending 400 bodies of 1 MiB at once that never end');
  const floods = [];
  for (const [who, key] of [
    ['nobody', newToken('gw_test')],
    ['one caller', caller.key],
    ['one caller, again', caller.key],
  ])
    floods.push({ who, ...(await flood(gateway, key)) });
  heading('What came out');
  tell(results, floods);
  say(took(startedAt));
}

function tell(results, floods) {
  table(
    ['body', 'status', 'answer', 'blocked for', 'CPU', 'answered in', ''],
    results.map(({ name, status, bytes, blockedMs, cpuMs, answeredMs }) => [
      ...[name, String(status), `${bytes} B`, ms(blockedMs), ms(cpuMs), ms(answeredMs)],
      verdict(blockedMs <= AIM_MS),
    ]),
  );
  say(
    `\nBlocked: the longest time in which the event loop did nothing else; the aim is ${AIM_MS} ms. On a busy machine`,
  );
  say('that counts the time others had the core, and the CPU time of all threads is the better bound.\n');
  const mib = (number) => `${whole(number)} MiB`;
  table(
    ['400 bodies of 1 MiB, by', 'memory before', 'at most', 'and 4 s later'],
    floods.map(({ who, before, most, after }) => [who, mib(before), mib(most), mib(after)]),
  );
}

/** The process says itself how late it ran since it was asked last. */
async function measured({ url, pid }, name, send) {
  await longestDelayMs(url);
  const usedBefore = cpuOf([pid]);
  const startedAt = performance.now();
  const answer = await send();
  const bytes = (await answer.arrayBuffer()).byteLength;
  const answeredMs = performance.now() - startedAt;
  const cpuMs = (cpuOf([pid]) - usedBefore) * 1_000;
  return { name, status: answer.status, bytes, answeredMs, cpuMs, blockedMs: await longestDelayMs(url) };
}

async function longestDelayMs(url) {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^gw_event_loop_delay_seconds\{quantile="1"\} (\S+)$/m.exec(text)[1]) * 1_000;
}
