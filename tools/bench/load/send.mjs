// A process of its own that sends requests which were signed before, over keep-alive connections, and tells what it
// measured as one line of JSON. With a rate it sends on time, whatever the answers take, and counts from the time at
// which a request was due: a service that stalls cannot hide it. Without, each connection asks as fast as it is answered.
import { readFileSync } from 'node:fs';
import { Connection } from './connection.mjs';

const MOST_CONNECTIONS = 512;
const TICK_MS = 1;

const plan = JSON.parse(process.argv[2]);
const targets = plan.ports.map((port, part) => ({ port, requests: requestsOf(`${plan.requests}.${part + 1}`) }));
const latencies = [];
const errors = {};
const idle = [];
const due = [];
let ranOut = false;
let asked = 0;
let opened = 0;
let startedAt;
let endedAt;

const completed = await (plan.perSecond ? paced() : eager());
const sorted = Float64Array.from(latencies).sort();
const percentile = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
const seconds = (endedAt - startedAt) / 1000;
const result = { completed, seconds, p50: percentile(0.5), p99: percentile(0.99), ranOut, errors };
process.stdout.write(`RESULT ${JSON.stringify(result)}\n`, () => process.exit(0));

/** Returns how many were answered as they should be, once all are. */
async function eager() {
  const connections = await Promise.all(Array.from({ length: plan.connections }, () => open()));
  startedAt = performance.now();
  const until = startedAt + plan.seconds * 1000;
  await Promise.all(
    connections.map(async (connection) => {
      while (performance.now() < until && (await exchange(connection, performance.now())));
    }),
  );
  endedAt = performance.now();
  return latencies.length;
}

async function paced() {
  idle.push(...(await Promise.all(Array.from({ length: plan.connections }, () => open()))));
  startedAt = performance.now();
  const all = Math.floor(plan.seconds * plan.perSecond);
  await new Promise((resolve) => {
    let planned = 0;
    const tick = setInterval(() => {
      const now = performance.now() - startedAt;
      for (; planned < all && planned / plan.perSecond <= now / 1000; planned++)
        due.push(startedAt + (planned * 1000) / plan.perSecond);
      while (due.length > 0 && (idle.length > 0 || opened < MOST_CONNECTIONS)) void serve(due.shift());
      if (planned < all || due.length > 0 || idle.length < opened) return;
      resolve(clearInterval(tick));
    }, TICK_MS);
  });
  endedAt = performance.now();
  return latencies.length;
}

async function serve(since) {
  let connection = idle.pop() ?? (await open());
  while (since !== undefined) {
    await exchange(connection, since);
    since = due.shift();
  }
  idle.push(connection);
}

/** False when there is nothing left to send. */
async function exchange(connection, since) {
  const request = connection.target.requests.next();
  if (!request) {
    ranOut = true;
    return false;
  }
  const outcome = await connection.exchange(request);
  if (outcome === plan.expected) latencies.push(performance.now() - since);
  else errors[outcome] = (errors[outcome] ?? 0) + 1;
  return true;
}

async function open() {
  opened += 1;
  const target = targets[asked++ % targets.length];
  return new Connection(target).open();
}

function requestsOf(file) {
  const bytes = readFileSync(file);
  let position = 0;
  const next = () => {
    if (position >= bytes.length && plan.cycle) position = 0;
    if (position >= bytes.length) return null;
    const from = position + 8;
    position = from + Number(bytes.subarray(position, from).toString('latin1'));
    return bytes.subarray(from, position);
  };
  return { next };
}
