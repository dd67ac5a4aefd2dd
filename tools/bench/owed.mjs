// `npm run bench owed`: what it costs to push what a payee is owed, and to withdraw all of it, however many rows it is.
import { randomUUID } from 'node:crypto';
import { heading, say, took } from '../terminal.mjs';
import { Caller } from './caller.mjs';
import { operatorToken, startGateway } from './gateways.mjs';
import { median, ms, perSecond, progress, table, whole } from './report.mjs';
import { Server } from './server.mjs';
import { watchingMemory } from './usage.mjs';

const DATABASE = 'bench_owed';
const RAIL = 'claim_rail';
const ROWS_A_CALL = 1000;
const CALLS_AT_ONCE = 4;
const READS = 15;

export async function run(stage, { rows }) {
  const startedAt = performance.now();
  heading('Preparing');
  progress(`starting PostgreSQL, with fsync, and a gateway whose payees are paid over the stand-in ${RAIL}`);
  const ground = await prepare(stage);
  heading('Pushing and withdrawing');
  const results = [];
  for (const size of rows) results.push(await measure(ground, size));
  heading('What came out');
  table(
    ['owed rows', 'pushed', 'balance', 'withdrawn in', 'balance after', 'most memory'],
    results.map((found) => [
      whole(found.size),
      perSecond(found.pushedPerSecond),
      ms(found.balanceMs),
      ms(found.withdrawMs),
      ms(found.balanceAfterMs),
      `${whole(found.memoryMiB ?? 0)} MiB`,
    ]),
  );
  say(
    `\nA push is a call of ${whole(ROWS_A_CALL)} rows, ${CALLS_AT_ONCE} calls at once. Balances are medians of ${READS} reads.`,
  );
  say('A withdrawal is one call: every row becomes part of one payout, which the rail accepts before it answers.');
  say(took(startedAt));
}

async function prepare(stage) {
  const server = await Server.start(stage);
  await server.create(DATABASE);
  const gateway = await startGateway(stage, { role: 'api', databaseUrl: server.urlOf(DATABASE) });
  await server.query(DATABASE, 'INSERT INTO routes (country, rails) VALUES ($1, $2)', ['US', [RAIL]]);
  const caller = await Caller.register({ url: gateway.url, token: operatorToken(stage), name: 'Bench' });
  return { gateway, caller };
}

async function measure({ gateway, caller }, size) {
  const { result, memory } = await watchingMemory(gateway.pid, () => pushAndWithdraw({ gateway, caller }, size));
  return { ...result, memoryMiB: memory };
}

async function pushAndWithdraw({ gateway, caller }, size) {
  const payeeId = await newPayee(gateway, caller);
  const pushMs = await timed(() => push(gateway, caller, payeeId, size));
  progress(`pushed ${whole(size)} rows`);
  const balanceMs = await balance(gateway, caller, payeeId);
  let withdrawn;
  const withdrawMs = await timed(async () => {
    withdrawn = await caller.call(gateway.url, 'POST', `/api/v1/payees/${payeeId}/withdraw`);
  });
  if (withdrawn.released !== size || !withdrawn.payoutLink)
    throw new Error(`Not all of ${size} rows were released: ${JSON.stringify(withdrawn)}`);
  progress(`withdrew them in ${ms(withdrawMs)}`);
  const balanceAfterMs = await balance(gateway, caller, payeeId);
  const pushedPerSecond = (size / pushMs) * 1000;
  return { size, pushedPerSecond, balanceMs, withdrawMs, balanceAfterMs };
}

async function newPayee({ url }, caller) {
  const wish = { externalId: randomUUID(), email: 'ada@example.com', name: 'Ada', country: 'US' };
  return (await caller.call(url, 'POST', '/api/v1/payees', wish)).id;
}

async function push({ url }, caller, payeeId, size) {
  const calls = Array.from({ length: Math.ceil(size / ROWS_A_CALL) }, (_, call) =>
    Array.from({ length: Math.min(ROWS_A_CALL, size - call * ROWS_A_CALL) }, (_, row) => ({
      payeeId,
      amountCents: 1 + (row % 100),
      currency: 'USD',
      externalRef: `${payeeId}-${call}-${row}`,
    })),
  );
  const inTurn = async () => {
    for (let items = calls.pop(); items; items = calls.pop())
      await caller.call(url, 'POST', '/api/v1/disbursements', { items });
  };
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, inTurn));
}

async function balance({ url }, caller, payeeId) {
  const reads = [];
  for (let read = 0; read < READS; read++)
    reads.push(await timed(() => caller.call(url, 'GET', `/api/v1/payees/${payeeId}/balance`)));
  return median(reads);
}

async function timed(work) {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
