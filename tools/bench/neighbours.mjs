// `npm run bench neighbours`: what a client at its limits costs another client, whose payouts come at a steady rate.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { heading, say, took } from '../terminal.mjs';
import { Caller } from './caller.mjs';
import { operatorToken, startGateway } from './gateways.mjs';
import { Load } from './load.mjs';
import { median, ms, progress, table, times, verdict, whole } from './report.mjs';
import { Server } from './server.mjs';

const DATABASE = 'bench_neighbours';
const RAIL = 'claim_rail';
const PAYEES = 50;
const ROWS_A_CALL = 1000;
const CALLS_AT_ONCE = 8;
const ASKING_ON = 200;
/** That so many connections come at once is over by then, and what is measured is what asking on costs. */
const ASKING_AHEAD_SECONDS = 3;
const MAY_COST = 3;
/** So many different keys in each row take the parser longest; rows of them make up most of 1 MiB. */
const KEYS_A_ROW = 60;
const BIG_BODY_BYTES = 1_000_000;

export async function run(stage, options) {
  const startedAt = performance.now();
  heading('Preparing');
  progress('starting PostgreSQL, with fsync, and one gateway process that does everything');
  const server = await Server.start(stage);
  await server.create(DATABASE);
  const gateway = await startGateway(stage, { role: 'all', databaseUrl: server.urlOf(DATABASE) });
  await server.query(DATABASE, 'INSERT INTO routes (country, rails) VALUES ($1, $2)', ['US', [RAIL]]);
  const ground = { stage, server, gateway, options, load: new Load(stage) };
  ground.quiet = await newCaller(ground, 'Quiet');
  ground.loud = await newCaller(ground, 'Loud');
  ground.over = await Caller.register({ ...operatorOf(ground), name: 'Over', settings: { rateLimitPerMinute: 1 } });
  await steady(ground); // a fresh process is slow at first

  heading('Measuring');
  const found = Object.fromEntries(Object.keys(BESIDE).map((name) => [name, []]));
  for (let round = 1; round <= options.rounds; round++)
    for (const [name, beside] of Object.entries(BESIDE)) {
      found[name].push(await measure(ground, beside));
      progress(`${TOLD[name]}: ${told(found[name][round - 1])}`);
    }
  summarize(found, options);
  say(took(startedAt));
}

const told = ({ p50, p99 }) => `p50 ${ms(p50)}, p99 ${ms(p99)}`;

const TOLD = {
  alone: 'alone',
  withdrawals: 'beside withdrawals of many rows',
  held: 'and payouts and changes of the payees that they hold',
  pushes: 'beside pushes of 1,000 rows',
  batches: 'beside batches of 1,000 rows',
  bodies: 'beside bodies of 1 MiB that take longest to parse',
  refused: 'beside a client over its limit that asks on',
};

/** What the loud client does: made ready beforehand, begun with the load or so much ahead of it, ended with it. */
const BESIDE = {
  alone: async () => ({ start: async () => undefined }),
  withdrawals: async (ground) => {
    const withdrawals = await withdrawalsReady(ground);
    return { start: () => withdrawals() };
  },
  held: async (ground) => {
    const withdrawals = await withdrawalsReady(ground);
    return { start: (goesOn) => Promise.all([withdrawals(), useHeldPayees(ground, goesOn)]) };
  },
  pushes: async ({ gateway, loud }) => ({
    start: (goesOn) =>
      keepCalling(goesOn, () => loud.call(gateway.url, 'POST', '/api/v1/disbursements', { items: rowsOf(loud) })),
  }),
  batches: async ({ gateway, loud }) => ({
    start: (goesOn) =>
      keepCalling(goesOn, () => loud.call(gateway.url, 'POST', '/api/v1/payouts/batch', loud.batch(ROWS_A_CALL))),
  }),
  bodies: async ({ gateway, loud }) => {
    const rows = rowsOfKeys();
    const batch = () => `{"idempotencyKey":"${randomUUID()}","items":[${rows}]}`;
    return {
      start: (goesOn) =>
        keepCalling(goesOn, () => loud.callWith(gateway.url, 'POST', '/api/v1/payouts/batch', batch())),
    };
  },
  refused: async (ground) => ({ start: () => askOn(ground), aheadSeconds: ASKING_AHEAD_SECONDS }),
};

/** As fast as it is answered. */
async function askOn({ load, gateway, over, options }) {
  const { completed, perSecond } = await load.eager({
    ...{ what: 'requests past a limit', ports: [gateway.port], connections: ASKING_ON, mayRefuse: true },
    ...{
      seconds: options.seconds + ASKING_AHEAD_SECONDS,
      cycle: true,
      requests: [over.bytes('GET', '/api/v1/payees')],
    },
  });
  progress(`${whole(completed)} requests were refused, ${whole(perSecond)} a second`);
}

/** All of them are refused, each by itself: the call goes well, and nothing comes of it. */
function rowsOfKeys() {
  const rows = [];
  for (let bytes = 0; bytes < BIG_BODY_BYTES && rows.length < ROWS_A_CALL; bytes += rows.at(-1).length + 1) {
    const keys = Array.from({ length: KEYS_A_ROW }, (_, key) => [`key${key}ofrow${rows.length}`, 1]);
    rows.push(JSON.stringify(Object.fromEntries(keys)));
  }
  return rows.join(',');
}

async function withdrawalsReady({ gateway, loud, options }) {
  const payees = heldPayees(loud);
  for (const payeeId of payees) await push(gateway, loud, payeeId, options.rows);
  const withdraw = (payeeId) => loud.call(gateway.url, 'POST', `/api/v1/payees/${payeeId}/withdraw`);
  return () => Promise.all(payees.map(withdraw));
}

const heldPayees = ({ payees }) => payees.slice(0, 4);

/** Each call needs a payee whose withdrawal is under way. */
function useHeldPayees({ gateway, loud }, goesOn) {
  const payees = heldPayees(loud);
  let count = 0;
  const pay = (payeeId) => ({ payeeId, amountCents: 100, currency: 'USD', idempotencyKey: randomUUID() });
  return keepCalling(goesOn, () => {
    count += 1;
    const payeeId = payees[count % payees.length];
    const call =
      count % 2 === 0
        ? loud.call(gateway.url, 'POST', '/api/v1/payouts', pay(payeeId))
        : loud.call(gateway.url, 'POST', `/api/v1/payees`, loud.payeeAgain(payeeId));
    return call.catch(unlessHeld);
  });
}

/** On a slow machine a withdrawal holds its payee for longer than anybody waits: then whoever waits is told to come again. */
function unlessHeld(error) {
  if (error.status !== 503) throw error;
}

async function measure(ground, beside) {
  const { start, aheadSeconds = 0 } = await beside(ground);
  let goesOn = true;
  const loud = start(() => goesOn);
  await pause(aheadSeconds * 1_000);
  const result = await steady(ground);
  goesOn = false;
  await loud;
  return result;
}

function steady({ load, gateway, quiet, options: { perSecond, seconds } }) {
  return load.paced({
    ...{ what: 'payouts at a steady rate', ports: [gateway.port], connections: 16, expected: 201 },
    ...{ perSecond, seconds },
    requests: Array.from({ length: perSecond * seconds + 10 }, (_, number) =>
      quiet.bytes('POST', '/api/v1/payouts', quiet.payout(number)),
    ),
  });
}

const operatorOf = ({ stage, gateway }) => ({ url: gateway.url, token: operatorToken(stage) });

async function newCaller(ground, name) {
  const { gateway } = ground;
  const caller = await Caller.register({ ...operatorOf(ground), name });
  await caller.addPayees(gateway.url, PAYEES);
  return caller;
}

const keepCalling = (goesOn, call) =>
  Promise.all(
    Array.from({ length: CALLS_AT_ONCE }, async () => {
      while (goesOn()) await call();
    }),
  );

const rowsOf = ({ payees }) =>
  Array.from({ length: ROWS_A_CALL }, (_, row) => owedRow(payees[payees.length - 1 - (row % 10)]));

const owedRow = (payeeId) => ({ payeeId, amountCents: 1, currency: 'USD', externalRef: randomUUID() });

async function push({ url }, caller, payeeId, rows) {
  for (let pushed = 0; pushed < rows; pushed += ROWS_A_CALL) {
    const items = Array.from({ length: Math.min(ROWS_A_CALL, rows - pushed) }, () => owedRow(payeeId));
    await caller.call(url, 'POST', '/api/v1/disbursements', { items });
  }
}

function summarize(found, { perSecond, rows }) {
  heading('What came out');
  const middle = (name, share) => median(found[name].map((round) => round[share]));
  say(
    `POST /payouts of one client, ${perSecond} a second; withdrawals: four at once, of ${whole(rows)} rows each;` +
      ` pushes, batches and bodies: ${CALLS_AT_ONCE} calls at once, again and again; what is refused: ${ASKING_ON}.\n`,
  );
  table(
    ['', 'p50', 'p99', 'p99 / alone', ''],
    Object.keys(found).map((name) => {
      const ratio = middle(name, 'p99') / middle('alone', 'p99');
      const cells = [TOLD[name], ms(middle(name, 'p50')), ms(middle(name, 'p99')), times(ratio)];
      return [...cells, name === 'alone' ? '' : verdict(ratio <= MAY_COST)];
    }),
  );
}
