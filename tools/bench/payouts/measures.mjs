// What one round measures, in order. Each takes what the round found before, and answers a number or several.
import { startBareNest } from '../gateways.mjs';
import { ms, perSecond, whole } from '../report.mjs';
import { cpuOf, cpuOfFamily, watchMemory } from '../usage.mjs';
import { someIds, storedNow, withGateways } from './ground.mjs';

const CONNECTIONS = 32;
const BATCH_CONNECTIONS = 4;
export const BATCH_ROWS = 1000;
const BATCHES_PER_SECOND = 15;
const READS = 2000;
const PACE = 0.8;
/** More than a process that is not warm yet answers; and how much faster it may get once it is. */
const COLD_MOST_PER_SECOND = 8000;
const FASTER_WHEN_WARM = 3;

export const ONE = 'POST /payouts, one API process';
export const TWO = 'POST /payouts, two API processes';
export const WORKING = 'POST /payouts, one process that works the queue too';
export const LIMIT = 'least payout transaction in PostgreSQL';
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
    { name: LIMIT, measure: () => ground.limit.measure(ground.options.seconds), told: perSecond },
    {
      name: BARE,
      measure: () => bareNest(ground),
      told: ({ post, get }) => `POST ${perSecond(post)}, GET ${perSecond(get)}`,
    },
    {
      name: ONE,
      measure: () => on(['api'], alsoPaced),
      told: (found) => `${tellPosts(found)}; at ${100 * PACE} % of that p99 ${ms(found.pacedP99)}`,
    },
    { name: TWO, measure: () => on(['api', 'api'], posts), told: tellPosts },
    { name: WORKING, measure: () => on(['all'], posts), told: tellPosts },
    {
      name: BATCH,
      measure: () => on(['api'], batches),
      told: (found) => (found ? `${perSecond(found.rowsPerSecond)} rows` : 'batch: not there yet'),
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

function tellPosts({ perSecond: rate, p50, p99 }) {
  return `${perSecond(rate)}, p50 ${ms(p50)}, p99 ${ms(p99)}`;
}

async function bareNest({ stage, load, caller, options: { seconds, warmUpSeconds } }) {
  const bare = await startBareNest(stage, caller);
  const requests = (method) =>
    Array.from({ length: 500 }, (_, place) => caller.bytes(method, '/bare', method === 'POST' && caller.payout(place)));
  const measure = async (method, expected) => {
    const plan = { what: BARE, ports: [bare.port], connections: CONNECTIONS, cycle: true, expected };
    await load.eager({ ...plan, seconds: warmUpSeconds, requests: requests(method) });
    return (await load.eager({ ...plan, seconds, requests: requests(method) })).perSecond;
  };
  try {
    return { post: await measure('POST', 201), get: await measure('GET', 200) };
  } finally {
    await bare.stop();
  }
}

/** Fills processes that just started, then measures; what was accepted must be there, on its way to its rail. */
async function posts({ server, load, caller, options: { seconds, warmUpSeconds } }, gateways) {
  const ports = gateways.filter(({ role }) => role !== 'worker').map(({ port }) => port);
  const plan = { what: 'POST /payouts', ports, connections: CONNECTIONS, expected: 201 };
  const warm = await load.eager({
    ...plan,
    seconds: warmUpSeconds,
    requests: signedPayouts(caller, warmUpSeconds * COLD_MOST_PER_SECOND),
  });
  const requests = signedPayouts(caller, Math.ceil(warm.perSecond * FASTER_WHEN_WARM * seconds));
  const before = { ...(await storedNow(server)), ...cpuTimes(server, gateways) };
  const stopWatching = watchMemory(gateways[0].pid);
  const found = await load.eager({ ...plan, seconds, requests });
  const after = { ...cpuTimes(server, gateways), ...(await storedNow(server)) };
  if (found.ranOut) throw new Error('There were too few signed requests for so fast a gateway.');
  if (after.stopped > 0) throw new Error(`${after.stopped} payouts did not get to the queue of their rail.`);
  if (after.all - before.all < found.completed)
    throw new Error(`${found.completed} payouts were accepted, and ${after.all - before.all} are there.`);
  const perThousand = (kind) => (after[kind] === null ? null : ((after[kind] - before[kind]) / found.completed) * 1000);
  return {
    ...found,
    memory: stopWatching(),
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
  const paced = await load.paced({
    what: `POST /payouts at ${100 * PACE} %`,
    ports: [gateways[0].port],
    connections: CONNECTIONS,
    seconds: options.seconds,
    perSecond: pace,
    expected: 201,
    requests: signedPayouts(caller, Math.ceil(pace * options.seconds)),
  });
  return { ...found, pacedP99: paced.p99 };
}

/** Null where the route is not there. */
async function batches({ server, load, caller, options: { seconds, warmUpSeconds } }, [gateway]) {
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
  const stopWatching = watchMemory(gateway.pid);
  const found = await send(seconds);
  const stored = (await storedNow(server)).all - before.all;
  if (stored !== found.completed * BATCH_ROWS)
    throw new Error(`${found.completed} batches of ${BATCH_ROWS} were answered, and ${stored} payouts are there.`);
  return { rowsPerSecond: found.perSecond * BATCH_ROWS, memory: stopWatching() };
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

async function reads({ server, load, caller, options: { seconds, warmUpSeconds } }, [gateway]) {
  const ids = await someIds(server, READS);
  const measure = async (targets) => {
    const requests = () => targets.map((target) => caller.bytes('GET', target));
    const plan = { what: READING, ports: [gateway.port], connections: CONNECTIONS, cycle: true, expected: 200 };
    await load.eager({ ...plan, seconds: warmUpSeconds, requests: requests() });
    return (await load.eager({ ...plan, seconds, requests: requests() })).perSecond;
  };
  return { one: await measure(ids.map((id) => `/api/v1/payouts/${id}`)), list: await measure(['/api/v1/payouts']) };
}

function signedPayouts(caller, count) {
  return Array.from({ length: count }, (_, number) => caller.bytes('POST', '/api/v1/payouts', caller.payout(number)));
}
