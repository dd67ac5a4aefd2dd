// What the bench of webhooks measures. Everything goes to one receiver on this machine, which answers at once.
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Caller } from '../caller.mjs';
import { runChild } from '../children.mjs';
import { operatorToken, startGateway, startReceiver } from '../gateways.mjs';
import { profiled } from '../profile/profiled.mjs';
import { progress, whole } from '../report.mjs';
import { cpuOf, cpuOfFamily } from '../usage.mjs';

export const DATABASE = 'bench_webhooks';
const RAIL = 'claim_rail';
/** It has no rail: what is to be paid there is held, and gives a worker nothing else to do. */
const NOWHERE = 'AQ';
const PAYEES = 50;
const CONNECTIONS = 16;
/** Of one client at one host, as libs/webhooks has it. */
const AT_ONCE = 24;
const POSTER = fileURLToPath(new URL('post.mjs', import.meta.url));
const BATCH_ROWS = 1000;
const LOOK_MS = 100;
/** Each at a host of its own, as callers' receivers are. */
const SLOW = 36;
const FAILING = ['/500', '/302', '/reset', '/slow', '/hang'];

/** POSTs of one event's body by the same library, as fast as the receiver answers: what is lost from there on is ours. */
export async function bare({ stage, receiver, options: { seconds } }) {
  const event = { type: 'payout.status', transactionId: '0'.repeat(36), status: 'submitted', note: 'x'.repeat(400) };
  const url = `http://127.0.0.1:${receiver.port}/ok`;
  const plan = { url, connections: AT_ONCE, seconds, body: JSON.stringify(event) };
  return Number(await runChild(stage, [stage.node, POSTER, JSON.stringify(plan)], { env: { PATH: process.env.PATH } }));
}

export async function newCaller({ stage }, gateway, receiver, { path = '/ok', host = '127.0.0.1', country } = {}) {
  const caller = await Caller.register({
    ...{ url: gateway.url, token: operatorToken(stage), name: `Bench ${path}` },
    settings: { webhookUrl: `http://${host}:${receiver.port}${path}` },
  });
  await caller.addPayees(gateway.url, PAYEES, country);
  return caller;
}

export async function prepare({ server }) {
  await server.create(DATABASE);
}

export const routes = (server) =>
  server.query(DATABASE, 'INSERT INTO routes (country, rails) VALUES ($1, $2)', ['US', [RAIL]]);

/** Events that wait because nobody works, and how fast one process delivers them once it starts. */
export async function backlog(ground, api) {
  const { server, stage, options } = ground;
  const caller = await newCaller(ground, api, ground.receiver, { country: NOWHERE });
  for (let made = 0; made < options.payouts; made += BATCH_ROWS)
    await caller.call(
      api.url,
      'POST',
      '/api/v1/payouts/batch',
      caller.batch(Math.min(BATCH_ROWS, options.payouts - made)),
    );
  const [{ waiting }] = await server.query(
    DATABASE,
    `SELECT count(*)::int AS waiting FROM events WHERE status = 'pending'`,
  );
  progress(`${whole(waiting)} events wait`);
  const known = new Set((await ground.receiver.arrivals()).map(([id]) => id));
  const worker = await startGateway(stage, { role: 'worker', databaseUrl: server.urlOf(DATABASE) });
  const before = cpuTimes(ground, worker);
  const delivered = () => untilDelivered(ground, known.size + waiting);
  if (stage.profiles) await profiled({ server, database: DATABASE, gateways: [worker], name: 'deliveries' }, delivered);
  else await delivered();
  const after = cpuTimes(ground, worker);
  const arrivals = (await ground.receiver.arrivals()).filter(([id]) => !known.has(id));
  const times = arrivals.map(([, at]) => at).sort((a, b) => a - b);
  await worker.stop();
  const perThousand = (kind) => (after[kind] === null ? null : ((after[kind] - before[kind]) / waiting) * 1000);
  return {
    perSecond: waiting / ((times[waiting - 1] - times[0]) / 1000),
    ...{ worker: perThousand('worker'), postgres: perThousand('postgres') },
  };
}

const cpuTimes = ({ server }, { pid }) => ({ worker: cpuOf([pid]), postgres: cpuOfFamily(server.pid) });

async function untilDelivered({ receiver }, count) {
  while ((await receiver.arrivals()).length < count) await pause(LOOK_MS);
}

/** How long after its transaction began the first byte of an event arrived, while payouts come at a steady rate. */
export async function latencies(ground, caller, gateway, neighbours) {
  const { server, load, receiver, options } = ground;
  const [{ since }] = await server.query(DATABASE, 'SELECT now() AS since');
  const steady = (callers, perSecond) =>
    load.paced({
      ...{ what: 'payouts at a steady rate', ports: [gateway.port], connections: CONNECTIONS, expected: 201 },
      ...{ perSecond, seconds: options.seconds },
      requests: Array.from({ length: perSecond * options.seconds + 10 }, (_, number) => {
        const who = callers[number % callers.length];
        return who.bytes('POST', '/api/v1/payouts', who.payout(number));
      }),
    });
  await Promise.all([
    steady([caller], options.perSecond),
    ...neighbours.map(({ callers, perSecond }) => steady(callers, perSecond ?? options.perSecond)),
  ]);
  const events = await ended(server, caller, since);
  const arrivals = new Map(await receiver.arrivals());
  const waits = events.map(({ id, made }) => arrivals.get(id) - made).sort((a, b) => a - b);
  const percentile = (share) => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))];
  return { events: waits.length, p50: percentile(0.5), p95: percentile(0.95), p99: percentile(0.99) };
}

/** Those of the measurement, once all of them were delivered. */
async function ended(server, { clientId }, since) {
  for (;;) {
    const events = await server.query(
      DATABASE,
      `SELECT id, status, extract(epoch FROM created_at)::float8 * 1000 AS made FROM events
       WHERE client_id = $1 AND type = 'payout.status' AND created_at > $2`,
      [clientId, since],
    );
    if (events.length > 0 && events.every(({ status }) => status === 'delivered')) return events;
    await pause(LOOK_MS);
  }
}

/** As many that answer as that fail: what is compared is how they behave, and not how much there is to do. */
export async function neighbours(ground, gateway) {
  const made = (path) => startReceiver(ground.stage).then((receiver) => newCaller(ground, gateway, receiver, { path }));
  return {
    answering: each(await Promise.all(FAILING.map(() => made('/ok')))),
    failing: each(await Promise.all(FAILING.map(made))),
    slow: [{ callers: await slowNeighbours(ground, gateway), perSecond: SLOW }],
  };
}

/** Many clients, each with a host of its own that takes its time. */
async function slowNeighbours(ground, gateway) {
  const receiver = await startReceiver(ground.stage, SLOW);
  const callers = [];
  for (let host = 1; host <= SLOW; host++)
    callers.push(await newCaller(ground, gateway, receiver, { path: '/slow', host: `127.0.0.${host}` }));
  return callers;
}

/** Each with a load of its own. */
const each = (callers) => callers.map((caller) => ({ callers: [caller] }));
