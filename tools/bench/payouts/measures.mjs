// What one round measures, in order. Each takes what the round found before, and answers a number or several.
import { setTimeout as pause } from 'node:timers/promises';
import { Caller } from '../caller.mjs';
import { operatorToken, startBareNest } from '../gateways.mjs';
import { ms, perSecond, whole } from '../report.mjs';
import { cpuOf, cpuOfFamily, watchingMemory } from '../usage.mjs';
import { hasEventsToTell, paidSince, someIds, storedNow, storing, watched, withGateways } from './ground.mjs';

const CONNECTIONS = 32;
const MANY_CONNECTIONS = 128;
const BATCH_CONNECTIONS = 4;
export const BATCH_ROWS = 1000;
const BATCHES_PER_SECOND = 15;
const READS = 2000;
const PACE = 0.8;
const PAYEES_TOLD = 50;
const LOOK_MS = 20;
/** More than a process that is not warm yet answers; and how much faster it may get once it is. */
const COLD_MOST_PER_SECOND = 8000;
const FASTER_WHEN_WARM = 3;

export const ONE = 'POST /payouts, one API process';
export const WIDE = `the same, ${MANY_CONNECTIONS} connections`;
export const TOLD = 'POST /payouts to paid and told, one process, a rail that settles at once';
export const TWO = 'POST /payouts, two API processes';
export const WORKING = 'POST /payouts, one process that works the queue too';
export const LIMIT = 'least payout transaction in PostgreSQL';
export const ROWS_16 = 'what a payout writes, 16 in a statement';
export const ROWS_64 = 'what a payout writes, 64 in a statement';
export const BARE = 'bare Nest route that checks the signature';
export const BATCH = `POST /payouts/batch, ${BATCH_ROWS} rows each`;
export const READING = 'GET';
export const withStored = (size) => `POST /payouts, ${whole(size)} stored`;

/** All but the sizes are measured with the smallest of them stored: a table that nobody analyzed yet tells little. */
export const MEASURES = (ground) => {
  const [smallest, ...larger] = ground.options.stored;
  const on = (roles, work, size = smallest) =>
    withGateways(ground, { size, roles }, (gateways) => work(ground, gateways));
  return [
    { name: LIMIT, measure: () => ground.limit.least(ground.options.seconds), told: perSecond },
    { name: ROWS_16, measure: () => realRows(ground, smallest, 16), told: perSecond },
    { name: ROWS_64, measure: () => realRows(ground, smallest, 64), told: perSecond },
    {
      name: BARE,
      measure: () => bareNest(ground, smallest),
      told: ({ post, get, page }) => `POST ${perSecond(post)}, GET ${perSecond(get)}, a page of 100 ${perSecond(page)}`,
    },
    {
      name: ONE,
      measure: () => on(['api'], alsoPaced),
      told: (found) => `${tellPosts(found)}; at ${100 * PACE} % of that p99 ${ms(found.pacedP99)}`,
    },
    { name: WIDE, measure: () => on(['api'], wide), told: tellPosts },
    { name: TOLD, measure: () => on(['all'], untilTold), told: (found) => perSecond(found.perSecond) },
    { name: TWO, measure: () => on(['api', 'api'], posts), told: tellPosts },
    { name: WORKING, measure: () => on(['all'], posts), told: tellPosts },
    {
      name: BATCH,
      measure: () => on(['api'], batches),
      told: (found) =>
        found ? `${perSecond(found.rowsPerSecond)} rows${tellMemory(found.memory)}` : 'batch: not there yet',
    },
    {
      name: READING,
      measure: () => on(['api'], reads),
      told: ({ one, list }) => `one payout ${perSecond(one)}, a page of 100 ${perSecond(list)}`,
    },
    ...larger.map((size) => ({
      name: withStored(size),
      measure: () => on(['api'], posts, size),
      told: tellPosts,
    })),
  ];
};

function tellPosts({ perSecond: rate, p50, p99, memory }) {
  return `${perSecond(rate)}, p50 ${ms(p50)}, p99 ${ms(p99)}${tellMemory(memory)}`;
}

const tellMemory = (memory) => (memory === null ? '' : `, ${whole(memory)} MiB`);

const realRows = ({ limit, caller, options: { seconds } }, size, together) =>
  limit.rows(storing(size), caller, { together, seconds });

async function bareNest({ stage, server, load, caller, options: { seconds, warmUpSeconds } }, size) {
  const bare = await startBareNest(stage, caller, server.urlOf(storing(size)));
  const requests = (method, target) =>
    Array.from({ length: 500 }, (_, place) => caller.bytes(method, target, method === 'POST' && caller.payout(place)));
  const measure = async (method, target, expected) => {
    const plan = { what: BARE, ports: [bare.port], connections: CONNECTIONS, cycle: true, expected };
    await load.eager({ ...plan, seconds: warmUpSeconds, requests: requests(method, target) });
    return (await load.eager({ ...plan, seconds, requests: requests(method, target) })).perSecond;
  };
  try {
    const [post, get] = [await measure('POST', '/bare', 201), await measure('GET', '/bare', 200)];
    return { post, get, page: await measure('GET', '/bare/page', 200) };
  } finally {
    await bare.stop();
  }
}

const wide = (ground, gateways) => posts(ground, gateways, MANY_CONNECTIONS);

/** From the first request to the arrival of the last event, at a receiver that answers at once. */
async function untilTold(ground, [gateway]) {
  const { stage, load, receiver, options } = ground;
  const caller = await Caller.register({
    ...{ url: gateway.url, token: operatorToken(stage), name: 'Told' },
    settings: { testMode: true, webhookUrl: `http://127.0.0.1:${receiver.port}/ok` },
  });
  await caller.addPayees(gateway.url, PAYEES_TOLD);
  for (const id of caller.payees)
    await caller.call(gateway.url, 'POST', `/api/v1/test/payees/${id}/onboarding`, { outcome: 'verified' });
  const send = async (seconds, rate) => {
    const requests = signedPayouts(caller, Math.ceil(seconds * rate));
    const { completed } = await load.eager({
      ...{ what: TOLD, ports: [gateway.port], connections: CONNECTIONS, expected: 201 },
      ...{ seconds, requests },
    });
    return completed;
  };
  const warm = await send(options.warmUpSeconds, COLD_MOST_PER_SECOND);
  await allTold(ground);
  const startedAt = performance.timeOrigin + performance.now();
  const completed = await watched(ground, { gateways: [gateway], name: TOLD }, async () => {
    const sent = await send(options.seconds, (warm / options.warmUpSeconds) * FASTER_WHEN_WARM);
    await allTold(ground);
    return sent;
  });
  const arrivals = (await receiver.arrivals()).map(([, at]) => at).filter((at) => at > startedAt);
  const paid = await paidSince(ground.server, startedAt);
  if (paid < completed) throw new Error(`${completed} payouts were answered, and ${paid} are paid.`);
  return { perSecond: completed / ((Math.max(...arrivals) - startedAt) / 1000) };
}

async function allTold({ server }) {
  while (await hasEventsToTell(server)) await pause(LOOK_MS);
}

/** Fills processes that just started, then measures; what was accepted must be there, on its way to its rail. */
async function posts(ground, gateways, connections = CONNECTIONS) {
  const { server, load, caller, options } = ground;
  const { seconds, warmUpSeconds } = options;
  const ports = gateways.filter(({ role }) => role !== 'worker').map(({ port }) => port);
  const plan = { what: 'POST /payouts', ports, connections, expected: 201 };
  const warm = await load.eager({
    ...plan,
    seconds: warmUpSeconds,
    requests: signedPayouts(caller, warmUpSeconds * COLD_MOST_PER_SECOND),
  });
  const measure = async (count) => {
    const requests = signedPayouts(caller, count);
    const before = { ...(await storedNow(server)), ...cpuTimes(server, gateways) };
    const name = `POST /payouts, ${connections} connections, ${gateways.map(({ role }) => role).join(' and ')}`;
    const { result, memory } = await watchingMemory(gateways[0].pid, () =>
      watched(ground, { gateways, name }, () => load.eager({ ...plan, seconds, requests })),
    );
    const after = { ...cpuTimes(server, gateways), ...(await storedNow(server)) };
    return result.ranOut ? measure(2 * count) : { before, found: result, after, memory };
  };
  const { before, found, after, memory } = await measure(Math.ceil(warm.perSecond * FASTER_WHEN_WARM * seconds));
  if (after.stopped > 0) throw new Error(`${after.stopped} payouts did not get to the queue of their rail.`);
  if (after.all - before.all < found.completed)
    throw new Error(`${found.completed} payouts were accepted, and ${after.all - before.all} are there.`);
  const perThousand = (kind) => (after[kind] === null ? null : ((after[kind] - before[kind]) / found.completed) * 1000);
  return {
    ...found,
    memory,
    gatewayCpu: perThousand('gatewayCpu'),
    postgresCpu: perThousand('postgresCpu'),
  };
}

function cpuTimes(server, gateways) {
  return { gatewayCpu: cpuOf(gateways.map(({ pid }) => pid)), postgresCpu: cpuOfFamily(server.pid) };
}

async function alsoPaced(ground, gateways) {
  const { load, caller, options } = ground;
  const found = await posts(ground, gateways);
  const pace = found.perSecond * PACE;
  const what = `POST /payouts at ${100 * PACE} %`;
  const plan = {
    ...{ what, ports: [gateways[0].port], connections: CONNECTIONS, seconds: options.seconds, perSecond: pace },
    ...{ expected: 201, requests: signedPayouts(caller, Math.ceil(pace * options.seconds)) },
  };
  const paced = await watched(ground, { gateways, name: what }, () => load.paced(plan));
  return { ...found, pacedP99: paced.p99 };
}

/** Null if the route is not there. */
async function batches(ground, [gateway]) {
  const { server, load, caller, options } = ground;
  const { seconds, warmUpSeconds } = options;
  if (!(await hasBatches(caller, gateway))) return null;
  const send = (forSeconds) =>
    load.toTheLast({
      what: BATCH,
      ports: [gateway.port],
      connections: BATCH_CONNECTIONS,
      seconds: forSeconds,
      expected: 207,
      requests: Array.from({ length: forSeconds * BATCHES_PER_SECOND }, () =>
        caller.bytes('POST', '/api/v1/payouts/batch', caller.batch(BATCH_ROWS)),
      ),
    });
  await send(warmUpSeconds);
  const before = await storedNow(server);
  const { result: found, memory } = await watchingMemory(gateway.pid, () =>
    watched(ground, { gateways: [gateway], name: BATCH }, () => send(seconds)),
  );
  const stored = (await storedNow(server)).all - before.all;
  if (stored !== found.completed * BATCH_ROWS)
    throw new Error(`${found.completed} batches of ${BATCH_ROWS} were answered, and ${stored} payouts are there.`);
  return { rowsPerSecond: found.perSecond * BATCH_ROWS, memory };
}

async function hasBatches(caller, gateway) {
  try {
    await caller.call(gateway.url, 'POST', '/api/v1/payouts/batch', caller.batch(1));
    return true;
  } catch (error) {
    if (error.status === 404 || error.status === 405) return false; // 405: then `batch` is read as an id
    throw error;
  }
}

async function reads(ground, [gateway]) {
  const { server, load, caller, options } = ground;
  const { seconds, warmUpSeconds } = options;
  const ids = await someIds(server, READS);
  const measure = async (targets) => {
    const requests = () => targets.map((target) => caller.bytes('GET', target));
    const plan = { what: READING, ports: [gateway.port], connections: CONNECTIONS, cycle: true, expected: 200 };
    await load.eager({ ...plan, seconds: warmUpSeconds, requests: requests() });
    const found = await watched(ground, { gateways: [gateway], name: `GET ${targets[0]}` }, () =>
      load.eager({ ...plan, seconds, requests: requests() }),
    );
    return found.perSecond;
  };
  return { one: await measure(ids.map((id) => `/api/v1/payouts/${id}`)), list: await measure(['/api/v1/payouts']) };
}

function signedPayouts(caller, count) {
  return Array.from({ length: count }, (_, number) => caller.bytes('POST', '/api/v1/payouts', caller.payout(number)));
}
